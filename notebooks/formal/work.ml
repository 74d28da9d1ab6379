(* A product of whole numbers, whose work is charged before it is done: so many products of words of 64 bits, and what
   OCaml does around them. The most takes one to three minutes. *)
exception Too_much

let most = 200_000_000_000
let spent = ref 0

(* The sums, shifts and comparisons that go with a product of long numbers take as long as four words more. *)
let words x = 5 + Z.numbits x / 64

let times x y =
  spent := !spent + 384 + words x * words y;
  if !spent > most then raise Too_much else Z.mul x y
