(* usage: ./checker FILE ...   Each FILE is a theorem as python -m dpcalc.certificates.formal writes it: the question and the
   witness are read in it, not the statement. Prints the claim that was read, and whether it was accepted. The status is 0 if
   all were.
   A file of more than 8 MB is refused, and one whose products take more than one to three minutes ([Work.most]). *)
open Accept

let longest = 1 lsl 23

let show (a, b) = if Z.equal b Z.one then Z.to_string a else Z.to_string a ^ "/" ^ Z.to_string b

let listed w = "(" ^ String.concat ", " (List.map Z.to_string w) ^ ")"

(* Words, "[::", "]" and "."; brackets, commas, semicolons and %nat only separate. *)
let words text =
  let spaced = Buffer.create (String.length text) in
  String.iter (function
    | '(' | ')' | ',' | ';' | '\n' -> Buffer.add_char spaced ' '
    | ']' -> Buffer.add_string spaced " ] "
    | '.' -> Buffer.add_string spaced " . "
    | '%' -> Buffer.add_string spaced " %"
    | c -> Buffer.add_char spaced c) text;
  List.filter (fun word -> word <> "" && word <> "%nat") (String.split_on_char ' ' (Buffer.contents spaced))

let examine path =
  let file = open_in_bin path in
  let text = Fun.protect ~finally:(fun () -> close_in file) (fun () ->
    if in_channel_length file > longest then failwith "the file is too long";
    really_input_string file (in_channel_length file)) in
  Work.spent := 0;
  let rest = ref (words text) in
  let word () = match !rest with x :: l -> rest := l; x | [] -> failwith "too few numbers" in
  let named name = if word () <> name then failwith (name ^ " is expected") in
  let rec defined name = match word () with
    | "Definition" when (match !rest with x :: _ -> x = name | [] -> false) -> while word () <> ":=" do () done
    | _ -> defined name in
  let whole () =
    let digits = word () in
    if digits = "" || String.exists (fun c -> c < '0' || c > '9') digits then failwith "a whole number is expected";
    if String.length digits > 100_000 then failwith "a number is too long";
    Z.of_string digits in
  (* In Coq these have no end, in OCaml products of two have to fit. *)
  let at_most largest =
    let x = whole () in
    if Z.gt x (Z.of_int largest) then failwith (Printf.sprintf "a number beyond %d" largest) else Z.to_int x in
  let natural () = at_most 100_000_000 in
  let steps () = at_most 100_000 in
  let exponent () = Z.of_int (steps ()) in
  let ratio () =
    let a = whole () in let b = whole () in
    if Z.sign b = 0 then failwith "a number is divided by 0" else (a, b) in
  let limit () = match word () with
    | "Lambda" -> let x = ratio () in Lambda x, "lambda = " ^ show x
    | "Epsilon" -> let x = ratio () in Epsilon x, "epsilon = " ^ show x
    | _ -> failwith "Lambda or Epsilon is expected" in
  let pair () = let a = natural () in let b = natural () in (a, b) in
  let several one =
    let rec more found = match !rest with "]" :: l -> rest := l; List.rev found | _ -> more (one () :: found) in
    named "[::"; more [] in
  let precision () = named "Precision"; let bits = whole () in let faint = whole () in { bits; faint } in
  let knot () =
    named "Knot"; let near = ratio () in let bound = whole () in let knot_blocks = several pair in
    { near; bound; knot_blocks; knot_precision = precision () } in
  let grid () =
    named "Grid"; let coarse = whole () in let scale = exponent () in let fine = exponent () in { coarse; scale; fine } in
  let lattice () =
    named "Lattice"; let on = grid () in let knots = several knot in let of_loss = several whole in
    let infinite = whole () in let reach = steps () in let ahead = steps () in let behind = steps () in
    { on; knots; of_loss; infinite; reach; ahead; behind } in
  let minorant () =
    named "Minorant"; let along = grid () in let named = natural () in let counted = precision () in let cut = exponent () in
    let shares = several (fun () -> let first = steps () in (first, several whole)) in
    let made = several whole in let deepest = steps () in let highest = whole () in
    let level = steps () in let before = steps () in let after = steps () in
    { along; named; counted; cut; shares; made; deepest; highest; level; before; after } in
  let rounds what =
    let x, about = match word () with
      | "Bits" -> let times = natural () in Bits times, Printf.sprintf "%d rounds" times
      | "Histograms" ->
        let times = natural () in let categories = natural () in let most = natural () in
        Histograms (times, categories, most),
        Printf.sprintf "%d releases of %d categories of which at most %d change," times categories most
      | _ -> failwith "Bits or Histograms is expected" in
    let n = natural () in let k = natural () in let q = ratio () in
    let about = Printf.sprintf "%s of n = %d, k = %d, q = %s, every strategy" about n k (show q) in
    let asked, claim = if what = "Rounds_delta" then
      let l, at = limit () in let low = ratio () in let high = ratio () in
      Rounds_delta (x, n, k, q, l, low, high),
      Printf.sprintf "%s, %s: delta = %s is enough, and no less than %s is" about at (show high) (show low) else
      let d = ratio () in let low = ratio () in let high = ratio () in
      Rounds_epsilon (x, n, k, q, d, low, high),
      Printf.sprintf "%s, delta = %s: every epsilon from %s on holds, none up to %s does" about (show d) (show high) (show low) in
    named "."; defined "shown"; named "RoundsWitness";
    let number_below = ratio () in let number_above = ratio () in let series = steps () in
    let over_all = lattice () in let under_one = minorant () in
    named ".";
    accept_rounds asked { number_below; number_above; series; over_all; under_one }, claim in
  let single what =
  let asked, claim = match what with
    | "Delta" ->
      let n = natural () in let k = natural () in let q = ratio () in let l, at = limit () in
      let low = ratio () in let high = ratio () in
      Delta (n, k, q, l, low, high),
      Printf.sprintf "n = %d, k = %d, q = %s, %s: delta = %s is enough, and no less than %s is" n k (show q) at (show high) (show low)
    | "Epsilon_of" ->
      let n = natural () in let k = natural () in let q = ratio () in let d = ratio () in
      let low = ratio () in let high = ratio () in
      Epsilon_of (n, k, q, d, low, high),
      Printf.sprintf "n = %d, k = %d, q = %s, delta = %s: every epsilon from %s on holds, none up to %s does" n k (show q) (show d) (show high) (show low)
    | "Least_q" ->
      let n = natural () in let k = natural () in let l, at = limit () in let d = ratio () in
      let low = ratio () in let high = ratio () in
      Least_q (n, k, l, d, low, high),
      Printf.sprintf "n = %d, k = %d, %s, delta = %s: every q from %s to 1/2 holds, none up to %s does" n k at (show d) (show high) (show low)
    | "Least_n" ->
      let k = natural () in let q = ratio () in let l, at = limit () in let d = ratio () in
      let low = natural () in let high = natural () in
      Least_n (k, q, l, d, low, high),
      Printf.sprintf "k = %d, q = %s, %s, delta = %s: every n from %d on holds, none up to %d does" k (show q) at (show d) high low
    | "Most_k" ->
      let n = natural () in let q = ratio () in let l, at = limit () in let d = ratio () in let k = natural () in
      Most_k (n, q, l, d, k),
      Printf.sprintf "n = %d, q = %s, %s, delta = %s: k = %d holds, k = %d does not" n (show q) at (show d) k (k + 1)
    | "Noise_delta" ->
      let w = several whole in let most = steps () in let l, at = limit () in let low = ratio () in let high = ratio () in
      Noise_delta (w, most, l, low, high),
      Printf.sprintf "noise = %s, sensitivity = %d, %s: delta = %s is enough, and no less than %s is" (listed w) most at (show high) (show low)
    | "Noise_epsilon" ->
      let w = several whole in let most = steps () in let d = ratio () in let low = ratio () in let high = ratio () in
      Noise_epsilon (w, most, d, low, high),
      Printf.sprintf "noise = %s, sensitivity = %d, delta = %s: every epsilon from %s on holds, none up to %s does" (listed w) most (show d) (show high) (show low)
    | _ -> failwith "an unknown question" in
  named "."; defined "shown"; named "Witness";
  let lambda_low = ratio () in let lambda_high = ratio () in
  let terms = steps () in let dataset = natural () in
  let blocks = several pair in let at_precision = precision () in
  named ".";
  accept asked { lambda_low; lambda_high; terms; dataset; blocks; at_precision }, claim in
  defined "asked";
  let accepted, claim = match word () with
    | "Rounds_delta" | "Rounds_epsilon" as what -> rounds what
    | what -> single what in
  Printf.printf "%s: %s\n%!" (if accepted then "Proven" else "Not proven") claim;
  accepted

let () =
  let paths = List.tl (Array.to_list Sys.argv) in
  let refused step = Printf.printf "Not proven: %s\n%!" step; false in
  let one path = try examine path with
    | Failure step -> refused step
    | Sys_error step -> refused (String.escaped step)
    | End_of_file -> refused "the file ends too early"
    | Work.Too_much | Stack_overflow | Out_of_memory | Z.Overflow | Invalid_argument _ -> refused "too much to be looked at" in
  if paths = [] then print_endline "Nothing to check, give the path of a file, or several.";
  exit (if paths <> [] && List.for_all Fun.id (List.map one paths) then 0 else 1)
