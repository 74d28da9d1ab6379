(* The questions about rounds, what an answer means, and the program that accepts a certificate of one. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory whole exponential check promise rounds fixed grid lattice below.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* What is released: a single bit's count T times, or T histograms, of which a changed record changes at most [most]. *)
Inductive releases := Bits (T : nat) | Histograms (T categories most : nat).

(* So many counts change. *)
Definition changes (x : releases) : nat := match x with Bits T => T | Histograms T _ most => (T * most)%N end.
(* There are neighbours in which so many do. *)
Definition can_change (x : releases) : bool :=
  match x with Bits _ => true | Histograms _ categories most => (0 < most <= 2)%N && (most <= categories)%N end.

(* As of single rounds: n, k, q, ..., the two ends. A lower end of 0 claims nothing. *)
Inductive rounds_question :=
| Rounds_delta (x : releases) (n k : nat) (q : ratio) (l : limit) (lower upper : ratio)
| Rounds_epsilon (x : releases) (n k : nat) (q delta lower upper : ratio).

(* Where to look: numbers at most and at least lambda, terms of the exponential series, a pair above all datasets and one
   below a dataset. *)
Record rounds_witness := RoundsWitness {
  number_below : ratio; number_above : ratio; series : nat; over_all : lattice; under_one : minorant }.

Definition rounds_hold x n k q (l : limit) delta (w : rounds_witness) : bool :=
  is_low l (number_below w) (series w) && check_rounds (over_all w) (changes x) n k q (number_below w) delta.
Definition rounds_attain x n k q (l : limit) delta (w : rounds_witness) : bool :=
  [&& can_change x, is_high l (number_above w) (series w)
    & rounds_need_all (under_one w) (changes x) (Setting n k q (number_above w)) delta].
Definition rounds_fail x n k q (l : limit) delta (w : rounds_witness) : bool :=
  [&& can_change x, is_high l (number_above w) (series w)
    & rounds_need_more (under_one w) (changes x) (Setting n k q (number_above w)) delta].

Definition accept_rounds (asked : rounds_question) (w : rounds_witness) : bool :=
  match asked with
  | Rounds_delta x n k q l lower upper => (nothing lower || rounds_attain x n k q l lower w) && rounds_hold x n k q l upper w
  | Rounds_epsilon x n k q delta lower upper =>
      (nothing lower || rounds_fail x n k q (Epsilon lower) delta w) && rounds_hold x n k q (Epsilon upper) delta w
  end.

(* ---------- What an answer means ---------- *)

Local Open Scope ring_scope.

Section Answers.
Variable R : realFieldType.
Notation value := (value R).

(* Every strategy keeps the promise, whatever the records hold. *)
Definition every_strategy (x : releases) (n k : nat) (q lam delta : R) : Prop :=
  match x with
  | Bits T => DP_rounds T n k q lam delta
  | Histograms T categories most => DP_histograms predT T categories most n k q lam delta
  end.
(* The same of records that hold one category each. *)
Definition every_strategy_one_hot (x : releases) (n k : nat) (q lam delta : R) : Prop :=
  match x with
  | Bits T => DP_rounds T n k q lam delta
  | Histograms T categories most => DP_histograms (one_hot categories most) T categories most n k q lam delta
  end.

Definition rounds_meaning (asked : rounds_question) : Prop :=
  match asked with
  | Rounds_delta x n k q l lower upper => forall lam, is_limit l lam ->
      every_strategy x n k (value q) lam (value upper) /\
      (forall delta, 0 <= delta -> every_strategy_one_hot x n k (value q) lam delta -> value lower <= delta)
  | Rounds_epsilon x n k q delta lower upper => forall epsilon lam, is_exp epsilon lam ->
      (value upper <= epsilon -> every_strategy x n k (value q) lam (value delta)) /\
      (0 < epsilon <= value lower -> ~ every_strategy_one_hot x n k (value q) lam (value delta))
  end.

(* ---------- Why it may be believed ---------- *)

Lemma rounds_hold_sound x n k q l delta w lam : rounds_hold x n k q l delta w ->
  value (number_below w) <= lam -> every_strategy x n k (value q) lam (value delta).
Proof.
case/andP => _; case: x => [T|T c most] /= checked le; first exact: check_rounds_sound checked le.
exact: check_histograms_sound checked erefl le.
Qed.

(* The dataset needs what its pair gives away. *)
Lemma dataset_needs x n k q w lam delta high : can_change x -> reached w (Setting n k q high) -> 0 <= lam <= value high ->
  every_strategy_one_hot x n k (value q) lam delta ->
  whole R (of_rounds_down w (changes x)) <= whole R (unit_of (fine w)) * delta.
Proof.
move=> can shown /andP[l0 le] dp.
have [sound in_range okg] : [/\ sensible (Setting n k q high), (named w < n)%N & sensible_grid w].
  by case/andP: shown; rewrite /shown_by; case: (gathered _ _ _) => A B /and5P[].
have q01 := sensible_q R sound; have others : n = (named w + (n.-1 - named w)).+1.
  by rewrite subnKC ?prednK //; [exact: leq_ltn_trans in_range | rewrite -ltnS prednK //; exact: leq_ltn_trans in_range].
have both : 0 <= lam <= value high by rewrite l0.
apply: le_trans (of_rounds_down_sound okg (changes x) shown both) _; rewrite ler_pmul2l ?unit_gt0 //=.
case: x can dp => [T|T c most] /= can dp; first exact: (rounds_need others dp).
exact: (histograms_need q01 others can dp l0).
Qed.

Lemma high_limit l y series0 lam : is_high l y series0 -> is_limit l lam -> 0 <= lam -> 0 <= lam <= value y.
Proof. by move=> high is_lam ->; exact: is_high_sound high is_lam. Qed.

Theorem accept_rounds_sound asked w : accept_rounds asked w -> rounds_meaning asked.
Proof.
case: asked => [x n k q l lower upper|x n k q delta lower upper] /= /andP[low holds].
  move=> lam is_lam; have /andP[is_l _] := holds; have below := is_low_sound is_l is_lam.
  split=> [|delta d0 dp]; first exact: rounds_hold_sound holds below.
  case/orP: low => [/nothing_value->//|/and3P[can high /and3P[shown low0 small]]].
  have l0 : 0 <= lam by apply: le_trans below; exact: value_ge0.
  have := dataset_needs can shown (high_limit high is_lam l0) dp.
  have := whole_le R small; rewrite !wholeM => le le'.
  rewrite /value /frac ler_pdivr_mulr ?whole_gt0 // -(ler_pmul2r (unit_gt0 R (fine (under_one w)))).
  apply: le_trans le _; rewrite mulrAC [X in _ <= X]mulrC.
  by apply: ler_wpmul2l; [exact: whole_ge0 | rewrite [delta * _]mulrC].
move=> epsilon lam is_lam; split=> [le|/andP[e0 le] dp].
  have /andP[is_l _] := holds; exact: rounds_hold_sound holds (at_most_exp_sound is_l le is_lam).
case/orP: low => [/nothing_value z|/and3P[can high /and3P[shown low0 more]]]; first by rewrite z leNgt e0 in le.
have both : 0 <= epsilon <= value lower by rewrite le ltW.
have l0 : 0 <= lam by apply: le_trans (is_exp_ge1 (ltW e0) is_lam); exact: ler01.
have between : 0 <= lam <= value (number_above w) by rewrite l0 (at_least_exp_sound high both is_lam).
have := dataset_needs can shown between dp; have := whole_lt R more; rewrite !wholeM => lt le'.
have d0 : 0 < whole R delta.2 := whole_gt0 R low0.
suff : whole R delta.1 * whole R (unit_of (fine (under_one w))) < whole R delta.1 * whole R (unit_of (fine (under_one w))).
  by rewrite ltxx.
apply: lt_le_trans lt _; apply: le_trans (ler_wpmul2l (ltW d0) le') _.
by rewrite /value /frac mulrCA [_ * (_ / _)]mulrC divfK ?gt_eqF // mulrC.
Qed.

End Answers.
