(* [accept] and [accept_rounds] as an OCaml program. Trusted besides Coq: this translation, OCaml, and Zarith (GMP) for whole numbers.
   Every product is charged for (work.ml). *)
From Coq Require Import NArith Extraction ExtrOcamlBasic.
From dpcalc Require Import promise answers.
Extraction Language OCaml.
Extract Inductive nat => "int" [ "0" "succ" ] "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
Extract Inductive positive => "Z.t" [ "(fun x -> Z.succ (Z.shift_left x 1))" "(fun x -> Z.shift_left x 1)" "Z.one" ]
  "(fun odd even one x -> if Z.equal x Z.one then one () else if Z.is_odd x then odd (Z.shift_right x 1) else even (Z.shift_right x 1))".
Extract Inductive N => "Z.t" [ "Z.zero" "(fun x -> x)" ] "(fun zero positive x -> if Z.sign x = 0 then zero () else positive x)".
Extract Constant N.add => "Z.add".
Extract Constant N.mul => "Work.times".
Extract Constant N.sub => "(fun x y -> Z.max Z.zero (Z.sub x y))".
Extract Constant N.shiftr => "(fun x c -> Z.shift_right x (Z.to_int c))".
Extract Constant N.ones => "(fun c -> Z.pred (Z.shift_left Z.one (Z.to_int c)))".
Extract Constant N.size => "(fun x -> Z.of_int (Z.numbits x))".
Extract Constant N.leb => "Z.leq".
Extract Constant N.ltb => "Z.lt".
Extract Constant N.eqb => "Z.equal".
Extract Constant N.of_nat => "Z.of_int".
Extract Constant Nat.add => "(+)".
Extract Constant Nat.sub => "(fun x y -> max 0 (x - y))".
Extract Constant Nat.mul => "( * )".

Extraction "accept.ml" accept accept_rounds.
