(* A grid of losses: multiples of log g. The pair of measures whose outcomes lie on it, and steps along it in whole numbers. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory whole check rounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* 1/g = coarse / 2^scale; masses are in units of 2^-fine. *)
Record grid := Grid { coarse : N; scale : N; fine : N }.

Open Scope N_scope.

Definition unit_of (b : N) : N := N.ones b + 1.

(* One step: x / g rounded down, and rounded up; x times g. *)
Definition down_a_step (g : grid) (x : N) : N := down (scale g) (coarse g * x).
Definition up_a_step (g : grid) (x : N) : N := up (scale g) (coarse g * x).
Definition up_the_lattice (g : grid) (x : ratio) : ratio := (x.1 * unit_of (scale g), x.2 * coarse g).

Definition sensible_grid (g : grid) : bool := (0 <? coarse g) && (coarse g <? unit_of (scale g)).

(* Of every mass of the list, the number in the row that stands where it leads; M beyond the end of the row. *)
Fixpoint weigh (M : N) (l row : seq N) : N :=
  if l is x :: l' then x * head M row + weigh M l' (behead row) else 0.

Close Scope N_scope.

(* ---------- Why it may be believed ---------- *)

Local Open Scope ring_scope.

Lemma unit_of_pow b : unit_of b = (2 ^ b)%num.
Proof. by rewrite /unit_of N.ones_equiv N.add_1_r N.succ_pred //; apply: N.pow_nonzero. Qed.

Section Grid.
Variable R : realFieldType.
Variable g : grid.
Hypothesis ok : sensible_grid g.
Notation whole := (whole R).
Notation value := (value R).
Implicit Types (X : seq (R * R)) (l : seq N).

Let one : R := whole (unit_of (fine g)).
Let r : R := whole (coarse g) / whole (unit_of (scale g)).

Lemma unit_gt0 b : 0 < whole (unit_of b).
Proof. by rewrite unit_of_pow whole_2pow exprn_gt0 // ltr0n. Qed.

Lemma one_gt0 : 0 < one. Proof. exact: unit_gt0. Qed.

Lemma over_one_ge0 (x : N) : 0 <= whole x / one.
Proof. by rewrite divr_ge0 ?whole_ge0 // ltW // one_gt0. Qed.

Lemma r_gt0 : 0 < r.
Proof. by case/andP: ok => c0 _; rewrite divr_gt0 ?unit_gt0 ?whole_gt0. Qed.

Lemma r_lt1 : r < 1.
Proof. by case/andP: ok => _ c1; rewrite ltr_pdivr_mulr ?unit_gt0 // mul1r whole_lt. Qed.

Lemma r_le1 : r <= 1. Proof. exact: ltW r_lt1. Qed.

Lemma whole_down_a_step (x : N) : whole (down_a_step g x) <= r * whole x.
Proof.
rewrite /r mulrAC ler_pdivl_mulr ?unit_gt0 // unit_of_pow whole_2pow -wholeM; exact: whole_down.
Qed.

Lemma whole_up_a_step (x : N) : r * whole x <= whole (up_a_step g x).
Proof.
rewrite /r mulrAC ler_pdivr_mulr ?unit_gt0 // unit_of_pow whole_2pow -wholeM; exact: whole_up.
Qed.

Lemma whole_up_one (x : N) (y : R) : y * one <= whole x -> y <= whole (up (fine g) x).
Proof.
move=> le; have := le_trans le (whole_up R (fine g) x).
by rewrite -whole_2pow -unit_of_pow ler_pmul2r // one_gt0.
Qed.

(* The outcomes of the losses from log x on. *)
Fixpoint outcomes (x : R) l : seq (R * R) :=
  if l is p :: l' then (whole p / one, whole p / one / x) :: outcomes (x / r) l' else [::].

Lemma measures_outcomes (x : R) l : 0 < x -> measures (outcomes x l).
Proof.
elim: l x => [//|p l IH] x x0; apply/andP; split; last by apply: IH; rewrite divr_gt0 // r_gt0.
by rewrite /= over_one_ge0 divr_ge0 ?over_one_ge0 // ltW.
Qed.

Lemma profile_cons y X A B : profile (y :: X) A B = Num.max 0 (A * y.1 - B * y.2) + profile X A B.
Proof. by rewrite /profile big_cons. Qed.

(* Their losses. *)
Lemma loss_of (x : R) l y : 0 < x -> y \in outcomes x l ->
  (exists i, [/\ (i < size l)%N, ~~ (nth 0 l i =? 0)%num & y.1 = x / r ^+ i * y.2]) \/ y.2 = 0.
Proof.
elim: l x => [//|p l IH] x x0 /=; rewrite in_cons => /predU1P[->|]; last first.
  have x0' : 0 < x / r by rewrite divr_gt0 // r_gt0.
  by case/(IH _ x0') => [[i [il kink ->]]|]; [left; exists i.+1; rewrite ?exprS ?invfM ?mulrA | right].
case e: (p =? 0)%num; first by right; move/N.eqb_eq: e => ->; rewrite /= !mul0r.
by left; exists 0%N; rewrite /= e expr0 divr1 [RHS]mulrC divfK // gt_eqF.
Qed.

Lemma outcomes_sum (x : R) l : one * (\sum_(y <- outcomes x l) y.1) = whole (total l).
Proof.
elim: l x => [|p l IH] x; first by rewrite big_nil mulr0.
by rewrite big_cons mulrDr IH [total _]/= wholeD [one * _]mulrC divfK // gt_eqF // one_gt0.
Qed.

Lemma up_the_lattice_value (x : ratio) : value (up_the_lattice g x) = value x / r.
Proof. by rewrite /whole.value /frac /up_the_lattice /= !wholeM /r invf_div [(_ * whole (coarse g))^-1]invfM mulrACA. Qed.

Lemma up_the_lattice_proper (x : ratio) : proper x -> proper (up_the_lattice g x).
Proof.
by case/andP: ok => /N.ltb_lt c0 _ /N.ltb_lt x0; apply/N.ltb_lt; apply: N.mul_pos_pos.
Qed.

End Grid.
