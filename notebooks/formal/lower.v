(* The other end: one dataset that needs at least so much delta. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory whole check.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* The law of the others' reports, if m of the others hold 1. *)
Definition law_at (c : setting) (p : precision) (m : nat) : state :=
  let: (a, D) := flip c in
  together (iter (times c * m) (advance p (D - a)%num a) empty)
    (iter (times c * ((records c).-1 - m)) (advance p a (D - a)%num) empty).

(* The sum of the excesses, rounded down, and its unit. *)
Definition excesses (c : setting) (x : state) : ratio :=
  let: Setting _ k (a, D) (u, v) := c in
  let b := (D - a)%num in
  let more := excess v u (of_zero k a b) (of_one k a b) in
  let less := excess u v (of_one k a b) (of_zero k a b) in
  (positive_parts (convolve more (masses x)) (convolve less (masses x)) (total less * error x)%num,
   (v * power D k * most x)%num).

(* With m ones among the others at least delta is needed; more than delta is. *)
Definition needs (c : setting) (delta : ratio) (p : precision) (m : nat) : bool :=
  [&& sensible c, (m < records c)%N, proper delta & at_most delta (excesses c (law_at c p m))].
Definition needs_more (c : setting) (delta : ratio) (p : precision) (m : nat) : bool :=
  [&& sensible c, (m < records c)%N, proper delta & below delta (excesses c (law_at c p m))].

(* ---------- Why it may be believed ---------- *)

Local Open Scope ring_scope.

Section Lower.
Variable R : realFieldType.

Lemma law_at_encloses c p m : sensible c ->
  encloses (pool (times c) (value R (flip c)) m ((records c).-1 - m)) (law_at c p m).
Proof.
move=> ok; have q01 := sensible_q R ok; have p1 := p01 q01; case/and5P: ok => _ D0 aD _ _.
case: c q01 p1 D0 aD => n k [a D] l q01 p1 D0 aD; rewrite /law_at [flip _]/= [times _]/= [records _]/=.
have aD' : (a <=? D)%num by move: aD; rewrite /at_most N.mul_1_r N.mul_1_l.
have s := sum_is aD'; have hq := q_whole R a D0; have hp := p_whole R D0 aD'.
have pos : (0 < D)%num by apply/N.ltb_lt.
have cq : 1 - (1 - value R (a, D)) = value R (a, D) by rewrite opprB addrC subrK.
rewrite /pool -[nseq (k * m) _]cats0 -[nseq (k * (n.-1 - m)) _]cats0; apply: encloses_together; apply: encloses_iter;
  rewrite ?cq ?(N.add_comm (D - a)%num a) ?s //; first [exact: encloses_empty | exact: hp | exact: hq].
Qed.

Lemma excesses_below c p m delta : sensible c -> (m < records c)%N ->
  DP (records c) (times c) (value R (flip c)) (value R (lambda c)) delta ->
  0 < whole R (excesses c (law_at c p m)).2 /\
  whole R (excesses c (law_at c p m)).1 <= delta * whole R (excesses c (law_at c p m)).2.
Proof.
move=> ok mn dp; have [prob _ U _ Um U0 low high] := law_at_encloses p m ok.
have n0 : (0 < records c)%N by apply: leq_ltn_trans mn.
have small := (DP_pools _ (sensible_q R ok) _ n0 (sensible_lambda R ok)).1 dp m mn.
case/and5P: ok => _ D0 aD v0 _.
case: c D0 aD v0 prob low high Um small mn {dp n0} => n k [a D] [u v] D0 aD v0 prob low high Um small mn.
have aD' : (a <=? D)%num by move: aD; rewrite /at_most N.mul_1_r N.mul_1_l.
have bound := @lower_bound R k a D v u _ _ U D0 aD' v0 prob U0 low high Um.
set unit := (_ * _ * most _)%num in bound.
have unit0 : 0 < whole R unit.
  rewrite wholeM [whole R (v * _)]wholeM whole_power; apply: mulr_gt0; last exact: (lt_le_trans U0 Um).
  by apply: mulr_gt0; [exact: (whole_gt0 R v0) | apply: exprn_gt0; exact: (whole_gt0 R D0)].
split; first exact: unit0.
by apply: le_trans bound _; rewrite mulrC; apply: ler_wpmul2r; [exact: ltW | exact: small].
Qed.

Theorem needs_sound c lower p m delta : needs c lower p m ->
  DP (records c) (times c) (value R (flip c)) (value R (lambda c)) delta -> value R lower <= delta.
Proof.
case/and4P => ok mn l0 h dp; have [x0 bound] := excesses_below p ok mn dp.
apply: (@le_trans _ _ (value R (excesses c (law_at c p m)))); last by rewrite ler_pdivr_mulr.
apply: value_le => //; apply/N.ltb_lt; move: x0; rewrite /whole ltr0n => /ssrnat.ltP; lia.
Qed.

Theorem needs_more_sound c delta p m : needs_more c delta p m ->
  ~ DP (records c) (times c) (value R (flip c)) (value R (lambda c)) (value R delta).
Proof.
case/and4P => ok mn l0 h dp; have [x0 bound] := excesses_below p ok mn dp.
have : value R delta < value R (excesses c (law_at c p m)).
  apply: value_lt => //; apply/N.ltb_lt; move: x0; rewrite /whole ltr0n => /ssrnat.ltP; lia.
by rewrite ltNge ler_pdivr_mulr // bound.
Qed.

End Lower.
