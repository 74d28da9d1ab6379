(* The questions that dpcalc answers, what an answer means, and the program that accepts a certificate. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory monotone whole exponential check lower noise.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* lambda, or the epsilon that it is e to the power of. *)
Inductive limit := Lambda of ratio | Epsilon of ratio.

(* The question and its answer, as a certificate states them: n, k, q, ..., the two ends. A lower end of 0 claims nothing. *)
Inductive question :=
| Delta (n k : nat) (q : ratio) (l : limit) (lower upper : ratio)
| Epsilon_of (n k : nat) (q delta lower upper : ratio)
| Least_q (n k : nat) (l : limit) (delta lower upper : ratio)
| Least_n (k : nat) (q : ratio) (l : limit) (delta : ratio) (lower upper : nat)
| Most_k (n : nat) (q : ratio) (l : limit) (delta : ratio) (most : nat)
| Noise_delta (weights : seq N) (most : nat) (l : limit) (lower upper : ratio)
| Noise_epsilon (weights : seq N) (most : nat) (delta lower upper : ratio).

(* Where to look: numbers at most and at least lambda, terms of the exponential series, the dataset for the lower end,
   the blocks and the precision for the upper end. *)
Record witness := RoundWitness {
  lambda_low : ratio; lambda_high : ratio; terms : nat; dataset : nat; blocks : seq block; at_precision : precision }.

Definition is_low (l : limit) (y : ratio) (series : nat) : bool :=
  match l with
  | Lambda x => proper y && at_most y x && proper x
  | Epsilon x => at_most_exp y x series
  end.
Definition is_high (l : limit) (y : ratio) (series : nat) : bool :=
  match l with
  | Lambda x => proper y && at_most x y && proper x
  | Epsilon x => at_least_exp y x series
  end.

Definition holds n k q (l : limit) delta (w : witness) : bool :=
  is_low l (lambda_low w) (terms w) && check (Setting n k q (lambda_low w)) delta (at_precision w) (blocks w).
Definition fails n k q (l : limit) delta (w : witness) : bool :=
  is_high l (lambda_high w) (terms w) && needs_more (Setting n k q (lambda_high w)) delta (at_precision w) (dataset w).
Definition attained n k q (l : limit) delta (w : witness) : bool :=
  is_high l (lambda_high w) (terms w) && needs (Setting n k q (lambda_high w)) delta (at_precision w) (dataset w).

(* The same of noise, for which nothing need be looked for. *)
Definition noise_holds f most (l : limit) delta (w : witness) : bool :=
  [&& is_low l (lambda_low w) (terms w), sensible_noise f (lambda_low w), proper delta & at_most (needed f most (lambda_low w)) delta].
Definition noise_fails f most (l : limit) delta (w : witness) : bool :=
  [&& is_high l (lambda_high w) (terms w), sensible_noise f (lambda_high w), proper delta & below delta (needed f most (lambda_high w))].
Definition noise_attained f most (l : limit) delta (w : witness) : bool :=
  [&& is_high l (lambda_high w) (terms w), sensible_noise f (lambda_high w), proper delta & at_most delta (needed f most (lambda_high w))].

Definition nothing (x : ratio) : bool := (x.1 =? 0)%num.

Definition accept (asked : question) (w : witness) : bool :=
  match asked with
  | Delta n k q l lower upper => (nothing lower || attained n k q l lower w) && holds n k q l upper w
  | Epsilon_of n k q delta lower upper =>
      (nothing lower || fails n k q (Epsilon lower) delta w) && holds n k q (Epsilon upper) delta w
  | Least_q n k l delta lower upper =>
      (nothing lower || fails n k lower l delta w) && holds n k upper l delta w
      && at_most lower (1, 2)%num
  | Least_n k q l delta lower upper =>
      ((lower == 0)%N || fails lower k q l delta w) && holds upper k q l delta w
  | Most_k n q l delta most => fails n most.+1 q l delta w && holds n most q l delta w
  | Noise_delta f most l lower upper => (nothing lower || noise_attained f most l lower w) && noise_holds f most l upper w
  | Noise_epsilon f most delta lower upper =>
      (nothing lower || noise_fails f most (Epsilon lower) delta w) && noise_holds f most (Epsilon upper) delta w
  end.

(* ---------- What an answer means ---------- *)

Local Open Scope ring_scope.

Section Promise.
Variable R : realFieldType.
Notation value := (value R).

Definition is_limit (l : limit) (lam : R) : Prop :=
  match l with Lambda x => lam = value x | Epsilon x => is_exp (value x) lam end.

Definition meaning (asked : question) : Prop :=
  match asked with
  | Delta n k q l lower upper => forall lam, is_limit l lam ->
      DP n k (value q) lam (value upper) /\ (forall delta, DP n k (value q) lam delta -> value lower <= delta)
  | Epsilon_of n k q delta lower upper => forall epsilon lam, is_exp epsilon lam ->
      (value upper <= epsilon -> DP n k (value q) lam (value delta)) /\
      (0 < epsilon <= value lower -> ~ DP n k (value q) lam (value delta))
  | Least_q n k l delta lower upper => forall lam, is_limit l lam -> forall q,
      (value upper <= q <= 2%:R^-1 -> DP n k q lam (value delta)) /\
      (0 < q <= value lower -> ~ DP n k q lam (value delta))
  | Least_n k q l delta lower upper => forall lam, is_limit l lam -> forall n,
      ((upper <= n)%N -> DP n k (value q) lam (value delta)) /\
      ((0 < n <= lower)%N -> ~ DP n k (value q) lam (value delta))
  | Most_k n q l delta most => forall lam, is_limit l lam ->
      DP n most (value q) lam (value delta) /\ ~ DP n most.+1 (value q) lam (value delta)
  | Noise_delta f most l lower upper => forall lam, is_limit l lam ->
      DP_noise (weighted R f) most lam (value upper) /\
      (forall delta, DP_noise (weighted R f) most lam delta -> value lower <= delta)
  | Noise_epsilon f most delta lower upper => forall epsilon lam, is_exp epsilon lam ->
      (value upper <= epsilon -> DP_noise (weighted R f) most lam (value delta)) /\
      (0 < epsilon <= value lower -> ~ DP_noise (weighted R f) most lam (value delta))
  end.

(* ---------- Why it may be believed ---------- *)

Lemma is_low_sound l y series lam : is_low l y series -> is_limit l lam -> value y <= lam.
Proof.
case: l => x /=; last by move=> h; exact: at_most_exp_sound h (lexx _).
by move=> /andP[/andP[p h] p'] ->; exact: value_le.
Qed.

Lemma is_high_sound l y series lam : is_high l y series -> is_limit l lam -> lam <= value y.
Proof.
case: l => x /=; last by move=> h; apply: at_least_exp_sound h _; rewrite value_ge0 lexx.
by move=> /andP[/andP[p h] p'] ->; exact: value_le.
Qed.

Lemma holds_sound n k q delta w lam : check (Setting n k q (lambda_low w)) delta (at_precision w) (blocks w) ->
  value (lambda_low w) <= lam ->
  [/\ DP n k (value q) lam (value delta), (0 < n)%N, 0 <= value q <= 1 & 1 <= lam].
Proof.
move=> ok le; have sens : sensible (Setting n k q (lambda_low w)) by move: ok; case: (q) => a D /and4P[].
have q01 := sensible_q R sens; have lam1 := sensible_lambda R sens; case/and5P: (sens) => n0 _ _ _ _; split=> //.
  by apply: (DP_larger_lambda q01 le); exact: (check_sound R ok).
exact: le_trans le.
Qed.

Lemma fails_sound n k q delta w lam : needs_more (Setting n k q (lambda_high w)) delta (at_precision w) (dataset w) ->
  lam <= value (lambda_high w) -> ~ DP n k (value q) lam (value delta) /\ 0 <= value q <= 1.
Proof.
move=> ok le; case/and4P: (ok) => sens _ _ _; have q01 := sensible_q R sens; split=> // dp.
exact: (needs_more_sound ok (DP_larger_lambda q01 le dp)).
Qed.

Lemma nothing_value x : nothing x -> value x = 0.
Proof. by move=> /N.eqb_eq e; rewrite /whole.value /frac e mul0r. Qed.

Lemma DP_delta_ge0 n k q lam delta : (0 < n)%N -> DP n k q lam delta -> 0 <= delta :> R.
Proof.
case: n => // n _ dp; pose d := nseq n.+1 false.
have nb : neighbours d d by exists [::], (nseq n false), false, false.
have := dp d d (size_nseq _ _) nb (fun _ => false).
by rewrite /Pr !big_pred0 ?mulr0 ?add0r // => t; rewrite andbF.
Qed.

Lemma noise_enough f most l x (lam : R) : sensible_noise f l -> proper x -> at_most (needed f most l) x ->
  value l <= lam -> DP_noise (weighted R f) most lam (value x).
Proof.
move=> ok x0 small le; apply: (DP_noise_larger_lambda (weighted_ge0 R f) le).
by apply/(noise_exact most _ ok); apply: value_le; rewrite ?needed_proper.
Qed.

Lemma noise_needs f most l (lam delta : R) : sensible_noise f l -> lam <= value l ->
  DP_noise (weighted R f) most lam delta -> value (needed f most l) <= delta.
Proof. by move=> ok le dp; apply/(noise_exact most _ ok); apply: DP_noise_larger_lambda dp => //; exact: weighted_ge0. Qed.

Lemma DP_noise_delta_ge0 f most (lam delta : R) : DP_noise f most lam delta -> 0 <= delta.
Proof.
move=> dp; have nb : neighbours [:: 0%N] [:: 0%N] by exists [::], [::], 0%N, 0%N.
by have := dp [:: 0%N] [:: 0%N] isT isT nb pred0; rewrite /released !big_pred0 // mulr0 add0r.
Qed.

Theorem accept_sound asked w : accept asked w -> meaning asked.
Proof.
case: asked => [n k q l lower upper|n k q delta lower upper|n k l delta lower upper|k q l delta lower upper
  |n q l delta most|f most l lower upper|f most delta lower upper] /=.
- move=> /andP[low /andP[is_l ok]] lam is_lam.
  have [dp n0 q01 _] := holds_sound ok (is_low_sound is_l is_lam); split=> // delta dp'.
  case/orP: low => [/nothing_value->|/andP[is_h needed]]; first exact: DP_delta_ge0 dp'.
  exact: (needs_sound needed (DP_larger_lambda q01 (is_high_sound is_h is_lam) dp')).
- move=> /andP[low /andP[is_l ok]] epsilon lam is_lam; split=> [le|/andP[e0 le]].
    by have [] := holds_sound ok (at_most_exp_sound is_l le is_lam).
  case/orP: low => [/nothing_value z|/andP[is_h needed]]; first by rewrite z leNgt e0 in le.
  by have [] := fails_sound needed (at_least_exp_sound is_h (_ : 0 <= epsilon <= _) is_lam); rewrite // le ltW.
- move=> /andP[/andP[low /andP[is_l ok]] half] lam is_lam q.
  have [dp n0 /andP[q0 _] lam1] := holds_sound ok (is_low_sound is_l is_lam); split=> /andP[].
    by move=> le le'; exact: DP_larger_q dp.
  move=> q_pos le dp'; case/orP: low => [/nothing_value z|/andP[is_h needed]]; first by rewrite z leNgt q_pos in le.
  have [not_dp /andP[l0 _]] := fails_sound needed (is_high_sound is_h is_lam); apply: not_dp.
  case/and4P: needed => /and5P[_ d0 _ _ _] _ _ _.
  apply: DP_larger_q dp' => //; [exact: ltW | rewrite -[2%:R^-1]mul1r].
  exact: (value_le R d0 (erefl : proper (1, 2)%num) half).
- move=> /andP[low /andP[is_l ok]] lam is_lam n.
  have [dp n0 q01 lam1] := holds_sound ok (is_low_sound is_l is_lam); split=> [le|/andP[n_pos le] dp'].
    by apply: DP_more_users dp; rewrite // n0.
  case/orP: low => [/eqP z|/andP[is_h needed]]; first by rewrite z leqNgt n_pos in le.
  have [not_dp _] := fails_sound needed (is_high_sound is_h is_lam); apply: not_dp.
  by apply: DP_more_users dp'; rewrite // n_pos.
- move=> /andP[/andP[is_h needed] /andP[is_l ok]] lam is_lam.
  have [dp *] := holds_sound ok (is_low_sound is_l is_lam); split=> //.
  by have [] := fails_sound needed (is_high_sound is_h is_lam).
- move=> /andP[low /and4P[is_l ok x0 small]] lam is_lam.
  split=> [|delta dp]; first exact: noise_enough ok x0 small (is_low_sound is_l is_lam).
  case/orP: low => [/nothing_value->|/and4P[is_h ok' y0 le]]; first exact: DP_noise_delta_ge0 dp.
  apply: le_trans (noise_needs ok' (is_high_sound is_h is_lam) dp); apply: value_le => //; exact: needed_proper.
move=> /andP[low /and4P[is_l ok x0 small]] epsilon lam is_lam; split=> [le|/andP[e0 le] dp].
  exact: noise_enough ok x0 small (at_most_exp_sound is_l le is_lam).
case/orP: low => [/nothing_value z|/and4P[is_h ok' y0 lt]]; first by rewrite z leNgt e0 in le.
have both : 0 <= epsilon <= value lower by rewrite le ltW.
by have := noise_needs ok' (at_least_exp_sound is_h both is_lam) dp; rewrite leNgt value_lt ?needed_proper.
Qed.

End Promise.
