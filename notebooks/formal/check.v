(* The checker, in whole numbers, and why what it accepts is so for every dataset. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory whole.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* n records, k reports of each, the flip probability q, and lambda. *)
Record setting := Setting { records : nat; times : nat; flip : ratio; lambda : ratio }.

(* Where to look: numbers are cut to so many bits; then masses of at most [faint] units at both ends are left out.
   Nothing of this need be believed: what is cut and left out counts as an error. *)
Record precision := Precision { bits : N; faint : N }.

(* The law of the count of some reports. In a unit 1/U with least <= U <= most, the probability of first + i ones lies
   between the i-th of the masses and that plus the error; the probability of any other count between 0 and the error. *)
Record state := State { count : nat; first : nat; masses : seq N; error : N; least : N; most : N }.

Definition empty : state := State 0 0 [:: 1%num] 0 1 1.

Open Scope N_scope.

(* One report more, 1 with probability a / (a + b): new_s = b old_s + a old_(s-1). *)
Fixpoint steps (a b last : N) (l : seq N) : seq N :=
  if l is x :: l' then b * x + a * last :: steps a b x l' else [:: a * last].

(* Leave out masses of at most t at the end, and at the start. *)
Fixpoint trim_end (t : N) (l : seq N) : seq N :=
  if l is x :: l' then if trim_end t l' is y :: r then x :: y :: r else if x <=? t then [::] else [:: x] else [::].
Fixpoint trim_start (t : N) (l : seq N) (from : nat) : nat * seq N :=
  if l is x :: l' then if x <=? t then trim_start t l' from.+1 else (from, l) else (from, [::]).

Definition advance (p : precision) (a b : N) (x : state) : state :=
  let D := a + b in
  let c := N.size (D * most x) - bits p in
  let t := if c =? 0 then 0 else faint p in
  let: (from, l) := trim_start t (trim_end t (map (down c) (steps a b 0 (masses x)))) (first x) in
  State (count x).+1 from l (up c (D * error x + N.ones c) + t) (down c (D * least x)) (up c (D * most x)).

(* The laws of so many reports, for a rising list of numbers of reports. *)
Fixpoint sweep (next : state -> state) (x : state) (counts : seq nat) : seq state :=
  if counts is m :: rest then let y := iter (m - count x)%N next x in y :: sweep next y rest else [::].

(* Two lists added, and multiplied as polynomials are. *)
Fixpoint add (l r : seq N) : seq N :=
  match l, r with x :: l', y :: r' => x + y :: add l' r' | [::], _ => r | _, [::] => l end.
Fixpoint convolve (l r : seq N) : seq N :=
  if l is x :: l' then add (map (N.mul x) r) (0 :: convolve l' r) else [::].

(* The law of the reports of both. *)
Definition together (x y : state) : state :=
  State (count x + count y)%N (first x + first y)%N (convolve (masses x) (masses y))
    (error x * most y + error y * most x) (least x * least y) (most x * most y).

(* v P - u Q where it is above 0, entry by entry. *)
Fixpoint excess (v u : N) (P Q : seq N) : seq N :=
  match P, Q with x :: P', y :: Q' => v * x - u * y :: excess v u P' Q' | _, _ => [::] end.
Definition total (l : seq N) : N := foldr N.add 0 l.

(* The sum of the entries of P less those of Q, less e, where that is above 0. *)
Fixpoint positive_parts (P Q : seq N) (e : N) : N :=
  if P is x :: P' then x - (head 0 Q + e) + positive_parts P' (behead Q) e else 0.

(* The two laws of k reports of the changed record, in units of (a + b)^-k. *)
Definition of_zero (k : nat) (a b : N) : seq N := iter k (steps a b 0) [:: 1].
Definition of_one (k : nat) (a b : N) : seq N := iter k (steps b a 0) [:: 1].

(* At most delta, if the others' reports have the law x. *)
Definition small (c : setting) (delta : ratio) (x : state) : bool :=
  let: Setting _ k (a, D) (u, v) := c in
  let b := D - a in
  let more := excess v u (of_zero k a b) (of_one k a b) in
  let less := excess u v (of_one k a b) (of_zero k a b) in
  (positive_parts (convolve more (masses x)) (convolve less (masses x)) 0
     + N.of_nat (k + count x).+1 * (total more * error x)) * delta.2
  <=? delta.1 * (v * power D k * least x).

(* A block is a range of ones among the other records. All its datasets have [from] ones and n - 1 - [to] zeros. *)
Definition block := (nat * nat)%type.

Definition covered (n : nat) (bs : seq block) : bool :=
  all (fun m => has (fun b => (b.1 <= m)%N && (m <= b.2)%N) bs) (iota 0 n).

Definition ones (c : setting) (b : block) : nat := (times c * b.1)%N.
Definition zeros (c : setting) (b : block) : nat := (times c * ((records c).-1 - b.2))%N.

Definition bounded (c : setting) (delta : ratio) (b : block) (x y : state) : bool :=
  [&& (b.2 < records c)%N, count x == ones c b, count y == zeros c b & small c delta (together x y)].

Fixpoint all_bounded (c : setting) (delta : ratio) (bs : seq block) (xs ys : seq state) : bool :=
  match bs, xs, ys with
  | [::], _, _ => true
  | b :: bs', x :: xs', y :: ys' => bounded c delta b x y && all_bounded c delta bs' xs' ys'
  | _, _, _ => false
  end.

Definition sensible (c : setting) : bool :=
  [&& (0 < records c)%N, proper (flip c), at_most (flip c) (1, 1), proper (lambda c) & at_most (1, 1) (lambda c)].

(* The blocks stand in rising order. *)
Definition check (c : setting) (delta : ratio) (p : precision) (bs : seq block) : bool :=
  let: (a, D) := flip c in
  let xs := sweep (advance p (D - a) a) empty (map (ones c) bs) in
  let ys := rev (sweep (advance p a (D - a)) empty (rev (map (zeros c) bs))) in
  [&& sensible c, proper delta, covered (records c) bs & all_bounded c delta bs xs ys].

Close Scope N_scope.

(* ---------- Why it may be believed ---------- *)

Local Open Scope ring_scope.

Section Lists.
Variable R : realFieldType.
Notation whole := (whole R).

(* A list of whole numbers as a polynomial. *)
Definition poly_of (l : seq N) : {poly R} := Poly (map whole l).

Lemma coef_poly_of l s : (poly_of l)`_s = whole (nth 0%num l s).
Proof.
rewrite coef_Poly; case: (ltnP s (size l)) => h; first by rewrite (nth_map 0%num).
by rewrite !nth_default ?size_map.
Qed.

Lemma poly_of_cons x l : poly_of (x :: l) = (whole x)%:P + 'X * poly_of l.
Proof. by rewrite /poly_of /= cons_poly_def mulrC addrC. Qed.

Lemma poly_of_nil : poly_of [::] = 0. Proof. by []. Qed.

Lemma poly_add l r : poly_of (add l r) = poly_of l + poly_of r.
Proof.
elim: l r => [|x l IH] [|y r] //=; rewrite ?poly_of_nil ?addr0 ?add0r //.
by rewrite !poly_of_cons IH wholeD polyCD mulrDr addrACA.
Qed.

Lemma poly_scale x l : poly_of (map (N.mul x) l) = (whole x)%:P * poly_of l.
Proof.
elim: l => [|y l IH] /=; first by rewrite mulr0.
by rewrite !poly_of_cons IH wholeM polyCM mulrDr mulrCA.
Qed.

Lemma poly_convolve l r : poly_of (convolve l r) = poly_of l * poly_of r.
Proof.
elim: l => [|x l IH]; first by rewrite poly_of_nil mul0r.
by rewrite [convolve _ _]/= poly_add poly_scale !poly_of_cons IH whole0 add0r mulrDl mulrA.
Qed.

Lemma poly_ncons f l : poly_of (ncons f 0%num l) = 'X^f * poly_of l.
Proof.
elim: f => [|f IH] /=; first by rewrite expr0 mul1r.
by rewrite poly_of_cons IH whole0 add0r exprS mulrA.
Qed.

Lemma whole_total l : whole (total l) = (poly_of l).[1].
Proof.
elim: l => [|x l IH]; first by rewrite poly_of_nil horner0.
by rewrite [total _]/= wholeD IH poly_of_cons !hornerE.
Qed.

Lemma total_sum l M : (size l <= M)%N -> whole (total l) = \sum_(s < M) (poly_of l)`_s.
Proof.
elim: l M => [|x l IH] [|M] //= h.
- by rewrite big_ord0.
- by rewrite big1 // => s _; rewrite poly_of_nil coef0.
rewrite wholeD (IH M) // big_ord_recl coef_poly_of /=; congr (_ + _).
by apply: eq_bigr => s _; rewrite !coef_poly_of.
Qed.

Lemma positive_parts_sum P Q e M : (size P <= M)%N ->
  whole (positive_parts P Q e) = \sum_(s < M) Num.max 0 ((poly_of P)`_s - ((poly_of Q)`_s + whole e)).
Proof.
elim: P Q M => [|x P IH] Q [|M] //= h.
- by rewrite big_ord0.
- rewrite big1 // => s _; rewrite max_l // poly_of_nil coef0 sub0r oppr_le0 coef_poly_of addr_ge0 ?whole_ge0 //.
rewrite wholeD wholeB (IH (behead Q) M) // big_ord_recl !coef_poly_of /= wholeD nth0; congr (_ + _).
by apply: eq_bigr => s _; rewrite !coef_poly_of nth_behead.
Qed.

End Lists.

(* ---------- The laws are enclosed ---------- *)

Section Laws.
Variable R : realFieldType.
Notation whole := (whole R).
Implicit Types (ps qs : seq R) (x y : state).

Definition entry f (l : seq N) s : N := nth 0%num (ncons f 0%num l) s.

Variant encloses (ps : seq R) (x : state) : Prop := Encloses
  (reports : probabilities ps) (number : count x = size ps)
  (U : R) (at_least : whole (least x) <= U) (at_most : U <= whole (most x)) (positive : 0 < U)
  (below : forall s, whole (entry (first x) (masses x) s) <= U * law ps s)
  (above : forall s, U * law ps s <= whole (entry (first x) (masses x) s) + whole (error x)).

Lemma encloses_empty : encloses [::] empty.
Proof.
apply: (@Encloses [::] empty isT erefl 1); rewrite ?ltr01 // => s; rewrite mul1r law_nil /entry;
  by case: s => [|[|s]]; rewrite //= ?nth_nil ?addr0 ?lexx.
Qed.

Lemma nth_steps a b last l s :
  nth 0%num (steps a b last l) s = (b * nth 0 l s + a * (if s is s'.+1 then nth 0 l s' else last))%num.
Proof.
elim: l last s => [|x l IH] last [|s] //=.
- by rewrite N.mul_0_r.
- by rewrite nth_nil; case: s => [|s]; rewrite ?nth_nil !N.mul_0_r.
- by rewrite IH; case: s.
Qed.

Lemma entry_steps a b f l s :
  entry f (steps a b 0 l) s = (b * entry f l s + a * (if s is s'.+1 then entry f l s' else 0))%num.
Proof.
rewrite /entry; elim: f s => [|f IH] [|s] /=; rewrite ?nth_steps ?N.mul_0_r //.
by rewrite IH; case: s => [|s]; rewrite ?N.mul_0_r.
Qed.

(* What is left out is small. *)
Lemma nth_trim_end t l s :
  let y := nth 0%num (trim_end t l) s in let x := nth 0%num l s in y = x \/ (y = 0 /\ x <= t)%num.
Proof.
elim: l s => [|x l IH] s /=; first by left.
case e: (trim_end t l) IH => [|y r] IH; last by case: s => [|s] /=; [left | exact: IH].
case h: (x <=? t)%num; case: s => [|s] /=; try by left.
- by right; split=> //; apply/N.leb_le.
- by have := IH s; rewrite nth_nil.
- exact: IH.
Qed.

Lemma entry_trim_start t l f s : let: (f', l') := trim_start t l f in
  let y := entry f' l' s in let x := entry f l s in y = x \/ (y = 0 /\ x <= t)%num.
Proof.
elim: l f s => [|x l IH] f s /=; first by left.
case h: (x <=? t)%num; last by left.
have := IH f.+1 s; case: (trim_start t l f.+1) => f' l' /=; rewrite /entry !nth_ncons.
case: (ltngtP s f) => sf.
- by rewrite ltnS (ltnW sf).
- by have -> : (s < f.+1)%N = false by [rewrite ltnS leqNgt sf]; rewrite -(subnSK sf).
rewrite sf ltnSn subnn /= => H; right; split; last exact/N.leb_le.
by case: H => [|[]].
Qed.

Lemma entry_map f (g : N -> N) l s : g 0%num = 0%num -> entry f (map g l) s = g (entry f l s).
Proof.
move=> g0; rewrite /entry !nth_ncons; case: ifP => // _.
case: (ltnP (s - f) (size l)) => h; first by rewrite (nth_map 0%num).
by rewrite !nth_default ?size_map.
Qed.

(* Both ends. *)
Lemma entry_trimmed t l f s : let: (f', l') := trim_start t (trim_end t l) f in
  whole (entry f' l' s) <= whole (entry f l s) <= whole (entry f' l' s) + whole t.
Proof.
have := entry_trim_start t (trim_end t l) f s; case: (trim_start _ _ _) => f' l' /= h.
have h' : entry f (trim_end t l) s = entry f l s \/ (entry f (trim_end t l) s = 0 /\ entry f l s <= t)%num.
  rewrite /entry !nth_ncons; case: ifP => _; [by left | exact: nth_trim_end].
have small z : (z <= t)%num -> 0 <= whole z <= 0 + whole t.
  by move=> /N.leb_le zt; rewrite whole_ge0 add0r whole_le.
have same z : whole z <= whole z <= whole z + whole t by rewrite lexx ler_addl whole_ge0.
case: h' h => [->|[-> zt]]; case=> [->|[-> zt']]; try exact: same; exact: small.
Qed.

Lemma encloses_advance p a b ps x (r : R) :
  (0 < a + b)%num -> r * whole (a + b) = whole a -> (1 - r) * whole (a + b) = whole b -> 0 <= r <= 1 ->
  encloses ps x -> encloses (r :: ps) (advance p a b x).
Proof.
move=> D0 ra rb r01 [prob cnt U least most U0 low high]; rewrite /advance.
set c := (N.size _ - _)%num; set raw := steps _ _ _ _; set faint' := (if _ then _ else _).
case e: (trim_start _ _ _) => [f l].
have Dgt : 0 < whole (a + b) by apply/whole_gt0/N.ltb_lt.
pose C : R := 2%:R ^+ N.to_nat c; have C0 : 0 < C by rewrite exprn_gt0 ?ltr0n.
have pos z : 0 <= whole z by exact: whole_ge0.
have U'0 : 0 < U * whole (a + b) / C by rewrite divr_gt0 ?mulr_gt0.
have next s : U * whole (a + b) * law (r :: ps) s = whole b * (U * law ps s) + whole a * (U * before (law ps) s).
  have swap (d t L : R) : U * d * (t * L) = t * d * (U * L) by rewrite mulrACA [RHS]mulrACA [U * t]mulrC.
  by rewrite law_cons -ra -rb mulrDr !swap.
have shift s : entry (first x) (map (down c) raw) s = down c (entry (first x) raw s) by rewrite entry_map ?down0.
have trimmed s := entry_trimmed faint' (map (down c) raw) (first x) s; rewrite e in trimmed.
have exact s : whole (entry (first x) raw s) =
    whole b * whole (entry (first x) (masses x) s) +
    whole a * before (fun s => whole (entry (first x) (masses x) s)) s.
  by rewrite entry_steps wholeD !wholeM; case: s.
have scaled s : U * whole (a + b) / C * law (r :: ps) s = (U * whole (a + b) * law (r :: ps) s) / C.
  by rewrite mulrAC.
apply: (@Encloses _ _ _ _ (U * whole (a + b) / C)) => //=.
- by rewrite r01.
- by rewrite cnt.
- rewrite ler_pdivl_mulr //; apply: le_trans (whole_down _ c _) _.
  by rewrite wholeM mulrC ler_wpmul2r.
- rewrite ler_pdivr_mulr //; apply: le_trans (whole_up _ c _).
  by rewrite wholeM mulrC ler_wpmul2l.
- move=> s; have /andP[h _] := trimmed s; apply: le_trans h _.
  rewrite shift scaled ler_pdivl_mulr //; apply: le_trans (whole_down _ c _) _.
  rewrite exact next; apply: ler_add; apply: ler_wpmul2l => //.
  by case: (s) => [|s'] /=; rewrite ?mulr0.
move=> s; have /andP[_ h] := trimmed s; rewrite [whole (_ + faint')]wholeD [X in _ <= _ + X]addrC addrA.
apply: le_trans (_ : whole (entry (first x) (map (down c) raw) s) + whole (up c ((a + b) * error x + N.ones c)) <= _);
  last by rewrite ler_add2r.
rewrite shift scaled ler_pdivr_mulr // mulrDl.
apply: le_trans (ler_add (lexx _) (whole_up _ c _)).
rewrite [whole (_ + N.ones c)]wholeD [whole ((a + b) * _)]wholeM addrCA.
apply: le_trans (_ : whole (a + b) * whole (error x) + whole (entry (first x) raw s) <= _); last first.
  by rewrite ler_add2l addrC whole_down_ones.
rewrite exact next [whole (a + b)]wholeD [X in _ <= X + _]mulrDl [X in _ <= X + _]addrC addrACA -!mulrDr.
apply: ler_add; apply: ler_wpmul2l => //; rewrite addrC //.
by case: (s) => [|s'] /=; rewrite ?mulr0 ?add0r.
Qed.

Lemma encloses_iter p a b i ps x (r : R) :
  (0 < a + b)%num -> r * whole (a + b) = whole a -> (1 - r) * whole (a + b) = whole b -> 0 <= r <= 1 ->
  encloses ps x -> encloses (nseq i r ++ ps) (iter i (advance p a b) x).
Proof. by move=> ? ? ? ? h; elim: i => //= i IH; apply: encloses_advance. Qed.

(* Every law of a sweep encloses that of its own number of reports. *)
Definition all_enclose (r : R) (xs : seq state) : Prop := List.Forall (fun x => encloses (nseq (count x) r) x) xs.

Lemma sweep_encloses p a b (r : R) counts x :
  (0 < a + b)%num -> r * whole (a + b) = whole a -> (1 - r) * whole (a + b) = whole b -> 0 <= r <= 1 ->
  encloses (nseq (count x) r) x -> all_enclose r (sweep (advance p a b) x counts).
Proof.
move=> D0 ra rb r01; elim: counts x => [|m counts IH] x h /=; first exact: List.Forall_nil.
set y := iter _ _ _; have h' : encloses (nseq (m - count x) r ++ nseq (count x) r) y by exact: encloses_iter.
have hy : encloses (nseq (count y) r) y.
  by case: (h') => _ e *; rewrite e size_cat !size_nseq nseqD.
by apply: List.Forall_cons => //; exact: IH.
Qed.

Lemma rev_encloses r xs : all_enclose r xs -> all_enclose r (rev xs).
Proof.
rewrite /rev /all_enclose; have := List.Forall_nil (fun x => encloses (nseq (count x) r) x).
elim: xs [::] => [//|x xs IH] ys hys /List.Forall_cons_iff[hx hxs] /=.
by apply: IH => //; exact: List.Forall_cons.
Qed.

Lemma law_cat ps qs s : law (ps ++ qs) s = \sum_(i < s.+1) law ps i * law qs (s - i).
Proof.
rewrite law_generating /generating big_cat /= coefM; apply: eq_bigr => i _.
by rewrite -!law_generating.
Qed.

Lemma coef_entry f l s : ('X^f * poly_of R l)`_s = whole (entry f l s).
Proof. by rewrite -poly_ncons coef_poly_of. Qed.

Lemma law_sum_le1 ps M : probabilities ps -> \sum_(s < M) law ps s <= 1.
Proof.
move=> h; rewrite -(@law_sum _ ps (M + (size ps).+1)) ?leq_addl // big_split_ord /= ler_addl.
by apply: sumr_ge0 => s _; exact: law_ge0.
Qed.

Lemma encloses_together ps qs x y : encloses ps x -> encloses qs y -> encloses (ps ++ qs) (together x y).
Proof.
move=> [px cx U lU Um U0 low high] [py cy V lV Vm V0 low' high'].
have pos z : 0 <= whole z by exact: whole_ge0.
apply: (@Encloses _ _ _ _ (U * V)) => /=.
- by rewrite /probabilities all_cat -/(probabilities ps) px.
- by rewrite size_cat cx cy.
- by rewrite wholeM; apply: ler_pmul.
- by rewrite wholeM; apply: ler_pmul => //; exact: ltW.
- exact: mulr_gt0.
- move=> s; rewrite law_cat big_distrr -coef_entry /= poly_convolve exprD mulrACA coefM.
  apply: ler_sum => i _; rewrite !coef_entry mulrACA; apply: ler_pmul => //.
move=> s; rewrite law_cat big_distrr -coef_entry /= poly_convolve exprD mulrACA coefM.
rewrite wholeD !wholeM.
have split_error (i : 'I_s.+1) : U * V * (law ps i * law qs (s - i)) <=
    whole (entry (first x) (masses x) i) * whole (entry (first y) (masses y) (s - i)) +
    (whole (error x) * (V * law qs (s - i)) + whole (error y) * (U * law ps i)).
  rewrite mulrACA; set f := entry _ _ _; set g := entry _ _ _.
  have hf := high i; have hg := high' (s - i)%N; have lf := low i; have lg := low' (s - i)%N.
  rewrite -/f -/g in hf hg lf lg.
  apply: (@le_trans _ _ ((whole f + whole (error x)) * (V * law qs (s - i)))).
    by apply: ler_wpmul2r => //; rewrite mulr_ge0 ?law_ge0 // ltW.
  rewrite mulrDl [X in _ <= _ + X]addrC addrA ler_add2r.
  apply: (@le_trans _ _ (whole f * (whole g + whole (error y)))); first exact: ler_wpmul2l.
  by rewrite mulrDr ler_add2l mulrC ler_wpmul2l.
apply: le_trans (ler_sum _ (fun i _ => split_error i)) _.
rewrite big_split /= (eq_bigr _ (fun i _ => congr2 *%R (esym (coef_entry _ _ _)) (esym (coef_entry _ _ _)))) ler_add2l.
rewrite big_split /= -!big_distrr /=; apply: ler_add; apply: ler_wpmul2l => //.
  rewrite -[X in _ <= X]mulr1; apply: ler_pmul (ltW V0) _ Vm _; first by apply: sumr_ge0 => i _; exact: law_ge0.
  rewrite (reindex_inj rev_ord_inj) /=; rewrite (eq_bigr (fun j : 'I_s.+1 => law qs j)) ?law_sum_le1 // => j _.
  by rewrite subKn // -ltnS.
rewrite -[X in _ <= X]mulr1; apply: ler_pmul (ltW U0) _ Um _; last exact: law_sum_le1.
by apply: sumr_ge0 => i _; exact: law_ge0.
Qed.

(* ---------- The bound of one block ---------- *)

(* In units of (a + b)^-k the laws of the changed record are exact. *)
Lemma law_exact (a b : N) (r : R) k s :
  r * whole (a + b) = whole a -> (1 - r) * whole (a + b) = whole b ->
  whole (nth 0%num (iter k (steps a b 0) [:: 1%num]) s) = whole (a + b) ^+ k * law (nseq k r) s.
Proof.
move=> ra rb; elim: k s => [|k IH] s /=.
  by rewrite expr0 mul1r law_nil; case: s => [|s]; rewrite /= ?nth_nil.
rewrite nth_steps wholeD !wholeM IH law_cons exprS mulrDr -ra -rb.
have swap (D t e L : R) : t * D * (e * L) = D * e * (t * L) by rewrite [t * D]mulrC mulrACA.
rewrite swap; congr (_ + _); case: s => [|s]; rewrite [before _ _]/=.
  by rewrite whole0 !mulr0.
by rewrite IH swap.
Qed.

Lemma size_exact (a b : N) k : size (iter k (steps a b 0) [:: 1%num]) = k.+1.
Proof.
have h c d z (l : seq N) : size (steps c d z l) = (size l).+1 by elim: l z => //= y l IH z; rewrite IH.
by elim: k => //= k IH; rewrite h IH.
Qed.

Lemma nth_excess v u P Q s : size P = size Q ->
  nth 0%num (excess v u P Q) s = (v * nth 0 P s - u * nth 0 Q s)%num.
Proof.
elim: P Q s => [|z P IH] [|y Q] s // e; first by rewrite /= !nth_nil !N.mul_0_r.
by case: s => [|s] //; apply: IH; case: e.
Qed.

Lemma total_ge l M : \sum_(s < M) whole (nth 0%num l s) <= whole (total l).
Proof.
elim: l M => [|z l IH] M /=; first by rewrite big1 // => s _; rewrite nth_nil.
case: M => [|M]; first by rewrite big_ord0 whole_ge0.
rewrite big_ord_recl /= wholeD ler_add2l; exact: IH.
Qed.

(* The law of the others is known but for its error, and so is what is made of it. *)
Lemma convolved ps x (U : R) m s : probabilities ps ->
  (forall s, whole (entry (first x) (masses x) s) <= U * law ps s) ->
  (forall s, U * law ps s <= whole (entry (first x) (masses x) s) + whole (error x)) ->
  let c := whole (entry (first x) (convolve m (masses x)) s) in
  c <= \sum_(i < s.+1) whole (nth 0%num m i) * (U * law ps (s - i)) <= c + whole (total m * error x).
Proof.
move=> prob low high; rewrite /=; set c := whole (entry _ _ _); have -> : c =
    \sum_(i < s.+1) whole (nth 0%num m i) * whole (entry (first x) (masses x) (s - i)).
  rewrite /c -coef_entry poly_convolve mulrCA coefM; apply: eq_bigr => i _.
  by rewrite coef_poly_of coef_entry.
apply/andP; split; first by apply: ler_sum => i _; apply: ler_wpmul2l (low _); exact: whole_ge0.
rewrite wholeM; set S := \sum_(i < _) _ * whole (entry _ _ _).
apply: (@le_trans _ _ (S + (\sum_(i < s.+1) whole (nth 0%num m i)) * whole (error x))); last first.
  by rewrite ler_add2l; apply: ler_wpmul2r (total_ge _ _); exact: whole_ge0.
rewrite {}/S big_distrl -big_split /=; apply: ler_sum => i _; rewrite -mulrDr.
by apply: ler_wpmul2l (high _); exact: whole_ge0.
Qed.

(* The sum over all counts is that over the entries. *)
Lemma shifted_sum (g : R -> R -> R) f P Q M : g 0 0 = 0 -> (forall p q, 0 <= g p q) ->
  \sum_(s < M) g (whole (entry f P s)) (whole (entry f Q s)) <= \sum_(s < M) g (whole (nth 0%num P s)) (whole (nth 0%num Q s)).
Proof.
move=> g0 pos; elim: f M => [|f IH] [|M]; rewrite ?big_ord0 //.
rewrite big_ord_recl /= g0 add0r; apply: le_trans (IH M) _.
by rewrite [X in _ <= X]big_ord_recr /= ler_addl.
Qed.

Lemma shifted_sum_ge (g : R -> R -> R) f P Q M : (forall p q, 0 <= g p q) ->
  \sum_(s < M) g (whole (nth 0%num P s)) (whole (nth 0%num Q s)) <=
  \sum_(s < f + M) g (whole (entry f P s)) (whole (entry f Q s)).
Proof.
move=> pos; elim: f => [|f IH]; first exact: lexx.
by rewrite addSn big_ord_recl; apply: le_trans IH _; rewrite ler_addr.
Qed.

Section Block.
Variables (k : nat) (a D v u : N) (ps : seq R) (x : state) (U : R).
Hypotheses (D0 : (0 <? D)%num) (aD : (a <=? D)%num) (v0 : (0 <? v)%num).
Hypotheses (prob : probabilities ps) (U0 : 0 < U).
Hypothesis low : forall s, whole (entry (first x) (masses x) s) <= U * law ps s.
Hypothesis high : forall s, U * law ps s <= whole (entry (first x) (masses x) s) + whole (error x).

Let b : N := (D - a)%num.
Let q : R := frac R a D.
Let more := excess v u (of_zero k a b) (of_one k a b).
Let less := excess u v (of_one k a b) (of_zero k a b).
Let P : seq R := nseq k q ++ ps.
Let Q : seq R := nseq k (1 - q) ++ ps.
Let scale : R := whole v * whole D ^+ k * U.
Let at_ (l : seq N) s : R := whole (entry (first x) (convolve l (masses x)) s).

Lemma sum_is : (a + b = D)%num.
Proof. by rewrite /b; move/N.leb_le: aD; lia. Qed.

Lemma q_whole : q * whole D = whole a.
Proof. by rewrite /q /frac divfK // gt_eqF // whole_gt0. Qed.

Lemma p_whole : (1 - q) * whole D = whole b.
Proof. by rewrite mulrBl mul1r q_whole -{1}sum_is wholeD addrAC subrr add0r. Qed.

Lemma scale_gt0 : 0 < scale.
Proof. by rewrite !mulr_gt0 ?exprn_gt0 ?whole_gt0. Qed.

(* v P - u Q in whole numbers. *)
Lemma difference s : scale * (law P s - frac R u v * law Q s) =
  \sum_(i < s.+1) whole (nth 0%num more i) * (U * law ps (s - i)) -
  \sum_(i < s.+1) whole (nth 0%num less i) * (U * law ps (s - i)).
Proof.
have sz : size (of_zero k a b) = size (of_one k a b) by rewrite !size_exact.
rewrite !law_cat big_distrr -!sumrB big_distrr; apply: eq_bigr => i _ /=.
rewrite -mulrBl !nth_excess //.
have -> : whole (v * nth 0 (of_zero k a b) i - u * nth 0 (of_one k a b) i)%num -
    whole (u * nth 0 (of_one k a b) i - v * nth 0 (of_zero k a b) i)%num =
    whole v * whole (nth 0%num (of_zero k a b) i) - whole u * whole (nth 0%num (of_one k a b) i).
  rewrite !wholeB !wholeM; set y := whole v * _; set z := whole u * _.
  case: (leP y z) => h.
    by rewrite max_l ?subr_le0 // max_r ?subr_ge0 // sub0r opprB.
  by rewrite max_r ?subr_ge0 ?ltW // max_l ?subr0 // subr_le0 ltW.
rewrite (@law_exact a b q) ?sum_is ?q_whole ?p_whole //.
have c : 1 - (1 - q) = q by rewrite opprB addrC subrK.
have := @law_exact b a (1 - q) k i; rewrite c (N.add_comm b a) sum_is p_whole q_whole => /(_ erefl erefl) ->.
rewrite /scale /frac; set Dk := whole D ^+ k; set l0 := law (nseq k q) i; set l1 := law _ i; set l := law ps _.
have vn : whole v != 0 by rewrite gt_eqF // whole_gt0.
have -> : whole v * Dk * U * (l0 * l - whole u / whole v * (l1 * l)) =
    (whole v * (Dk * l0) - whole u * (Dk * l1)) * (U * l); last by [].
rewrite mulrBr mulrBl; congr (_ - _).
  by rewrite -!mulrA; congr (_ * (_ * _)); rewrite mulrCA.
have e : whole v * (whole u / whole v) = whole u by rewrite mulrCA divff // mulr1.
move: (whole u / whole v) e => w <-; rewrite -!mulrA; congr (_ * _); rewrite [RHS]mulrCA; congr (_ * _).
by rewrite mulrCA; congr (_ * _); rewrite mulrCA.
Qed.

Lemma upper_bound (dn dd : N) : (0 <? dd)%num ->
  ((positive_parts (convolve more (masses x)) (convolve less (masses x)) 0
     + N.of_nat (size P).+1 * (total more * error x)) * dd <=? dn * (v * power D k * least x))%num ->
  whole (least x) <= U -> div (frac R u v) P Q <= frac R dn dd.
Proof.
move=> dd0 h least_U.
have e0 := whole_ge0 R.
have sz : size P = size Q by rewrite !size_cat !size_nseq.
have part s : scale * Num.max 0 (law P s - frac R u v * law Q s) <=
    Num.max 0 (at_ more s - (at_ less s + whole 0)) + whole (total more * error x).
  rewrite (maxr_pmulr _ _ (ltW scale_gt0)) mulr0 difference le_maxl; apply/andP; split.
    by rewrite addr_ge0 // le_maxr lexx.
  have /andP[_ up] := @convolved ps x U more s prob low high.
  have /andP[down _] := @convolved ps x U less s prob low high.
  apply: le_trans (ler_sub up down) _; rewrite addrAC ler_add2r whole0 addr0 le_maxr lexx orbT //.
set M := (size P).+1; pose C := convolve more (masses x); pose C' := convolve less (masses x).
have all_parts : scale * div (frac R u v) P Q <=
    whole (positive_parts C C' 0) + whole (N.of_nat M * (total more * error x))%num.
  rewrite /div big_distrr.
  apply: (@le_trans _ _ (\sum_(s < M) (Num.max 0 (at_ more s - (at_ less s + whole 0)) + whole (total more * error x)))).
    by apply: ler_sum => s _; exact: part.
  rewrite big_split /= sumr_const card_ord [whole (N.of_nat M * _)]wholeM whole_of_nat mulr_natl ler_add2r.
  rewrite (@positive_parts_sum R C C' 0 (M + size C)) ?leq_addl //.
  pose g p q' : R := Num.max 0 (p - (q' + whole 0)).
  apply: le_trans (@shifted_sum g (first x) C C' M _ _) _.
  - by rewrite /g whole0 addr0 subrr maxxx.
  - by move=> p q'; rewrite /g le_maxr lexx.
  rewrite big_split_ord /= -[X in X <= _]addr0; apply: ler_add; last by apply: sumr_ge0 => s _; rewrite le_maxr lexx.
  by apply: ler_sum => s _; rewrite !coef_poly_of.
have dgt := whole_gt0 R dd0.
rewrite /frac ler_pdivl_mulr // -(ler_pmul2l scale_gt0) mulrA.
apply: le_trans (ler_wpmul2r (ltW dgt) all_parts) _.
rewrite -wholeD -wholeM; apply: le_trans (whole_le R h) _; rewrite !wholeM whole_power mulrC.
by apply: ler_wpmul2r => //; apply: ler_wpmul2l => //; rewrite mulr_ge0 ?exprn_ge0.
Qed.

(* The same from below. *)
Lemma lower_bound : U <= whole (most x) ->
  whole (positive_parts (convolve more (masses x)) (convolve less (masses x)) (total less * error x)) <=
  whole (v * power D k * most x)%num * div (frac R u v) P Q.
Proof.
move=> most_U; have e0 := whole_ge0 R; set e := (total less * error x)%num.
have sz : size P = size Q by rewrite !size_cat !size_nseq.
have part s : Num.max 0 (at_ more s - (at_ less s + whole e)) <=
    scale * Num.max 0 (law P s - frac R u v * law Q s).
  rewrite (maxr_pmulr _ _ (ltW scale_gt0)) mulr0 difference le_maxl le_maxr lexx le_maxr; apply/orP; right.
  have /andP[down _] := @convolved ps x U more s prob low high.
  have /andP[_ up] := @convolved ps x U less s prob low high.
  exact: ler_sub.
pose C := convolve more (masses x); pose C' := convolve less (masses x).
have all_parts : whole (positive_parts C C' e) <= scale * div (frac R u v) P Q.
  pose M := (first x + ((size P).+1 + size C))%N.
  have big : (size P < M)%N by rewrite /M addnCA ltn_addr.
  rewrite (div_size _ sz big) big_distrr /=.
  apply: (@le_trans _ _ (\sum_(s < M) Num.max 0 (at_ more s - (at_ less s + whole e)))); last first.
    by apply: ler_sum => s _; exact: part.
  rewrite (@positive_parts_sum R C C' e ((size P).+1 + size C)) ?leq_addl //.
  pose g p q' : R := Num.max 0 (p - (q' + whole e)).
  apply: le_trans (@shifted_sum_ge g (first x) C C' ((size P).+1 + size C) _).
    by apply: ler_sum => s _; rewrite !coef_poly_of.
  by move=> p q'; rewrite /g le_maxr lexx.
apply: le_trans all_parts _; rewrite !wholeM whole_power; apply: ler_wpmul2r; first exact: div_ge0.
by apply: ler_wpmul2l => //; rewrite mulr_ge0 ?exprn_ge0.
Qed.

End Block.

(* ---------- What is accepted is so ---------- *)

Lemma sensible_q c : sensible c -> 0 <= value R (flip c) <= 1.
Proof.
case/and5P => _ q0 q1 _ _; rewrite value_ge0 /=; have := value_le R q0 (erefl : proper (1, 1)%num) q1.
by rewrite {2}/value /frac divr1.
Qed.

Lemma sensible_lambda c : sensible c -> 1 <= value R (lambda c).
Proof.
case/and5P => _ _ _ l0 l1; have := value_le R (erefl : proper (1, 1)%num) l0 l1.
by rewrite {1}/value /frac divr1.
Qed.

(* A law of so many ones, and one of so many zeros, together: those of the others. *)
Lemma encloses_pool k (q : R) m z x y : encloses (nseq (count x) (1 - q)) x -> encloses (nseq (count y) q) y ->
  count x = (k * m)%N -> count y = (k * z)%N -> encloses (pool k q m z) (together x y).
Proof. by move=> hx hy ex ey; rewrite /pool -ex -ey; exact: encloses_together. Qed.

Lemma sweeps_enclose c p counts counts' : sensible c ->
  let a := (flip c).1 in let b := ((flip c).2 - a)%num in let q := value R (flip c) in
  all_enclose (1 - q) (sweep (advance p b a) empty counts) /\ all_enclose q (sweep (advance p a b) empty counts').
Proof.
move=> ok a b q; have q01 := sensible_q ok; have p1 := p01 q01.
case/and5P: ok => _ D0 aD _ _.
have aD' : (a <=? (flip c).2)%num by move: aD; rewrite /at_most N.mul_1_r N.mul_1_l.
have s := sum_is aD'; have D0' := D0; rewrite /proper in D0'.
have hq : q * whole (a + b) = whole a by rewrite s; exact: q_whole.
have hp : (1 - q) * whole (a + b) = whole b by rewrite s; exact: (p_whole D0' aD').
have cq : 1 - (1 - q) = q by rewrite opprB addrC subrK.
have pos : (0 < a + b)%num by rewrite s; apply/N.ltb_lt.
split; apply: sweep_encloses => //; rewrite ?cq ?(N.add_comm b a) //; exact: encloses_empty.
Qed.

Theorem check_sound (c : setting) (delta : ratio) p bs : check c delta p bs ->
  DP (records c) (times c) (value R (flip c)) (value R (lambda c)) (value R delta).
Proof.
case: c => n k [a D] [u v]; case: delta => dn dd; rewrite /check; set c := Setting _ _ _ _.
rewrite [flip c]/= => /and4P[ok dd0 cov bnd].
have q01 := sensible_q ok; have lam1 := sensible_lambda ok.
have [ones_ok /rev_encloses zeros_ok] := sweeps_enclose p (map (ones c) bs) (rev (map (zeros c) bs)) ok.
move: ones_ok zeros_ok bnd; rewrite [flip c]/= [_.1]/= [_.2]/=.
move: (sweep _ _ _) (rev (sweep _ _ _)) => xs ys hx hy bnd.
have block_ok b : b \in bs -> delta_of k (value R (a, D)) (value R (u, v)) b.1 (n.-1 - b.2) <= value R (dn, dd) /\ (b.2 < n)%N.
  elim: bs xs ys hx hy bnd {cov} => [//|b' bs IH] [|x xs] [|y ys] //= /List.Forall_cons_iff[hx hxs].
  move=> /List.Forall_cons_iff[hy hys] /andP[/and4P[inside /eqP cx /eqP cy small] rest].
  rewrite in_cons => /predU1P[->|]; last exact: (IH _ _ hxs hys rest).
  split=> //; have [prob cnt U lU Um U0 low high] := encloses_pool hx hy cx cy.
  case/and5P: ok => _ D0 aD v0 _; have aD' : (a <=? D)%num by move: aD; rewrite /at_most N.mul_1_r N.mul_1_l.
  rewrite /delta_of; apply: (@upper_bound k a D v u _ (together x y) U D0 aD' v0 prob U0 low high dn dd dd0 _ lU).
  by move: small; rewrite /check.small /= !size_cat !size_nseq cx cy.
case/and5P: (ok) => n0 *; apply/(DP_pools k q01 _ n0 lam1) => m mn.
have min : m \in iota 0 n by rewrite mem_iota.
have /hasP[b inb /andP[lm mh]] := allP cov m min.
have [small inside] := block_ok b inb.
apply: le_trans small; apply: range => //; first by rewrite lm.
by rewrite -ltnS prednK.
Qed.

End Laws.
