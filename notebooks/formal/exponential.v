(* Whole numbers on either side of e^epsilon. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* 1 + x (1 + x/2 (1 + x/3 (... (1 + x/i h)))) for x = a/b. *)
Fixpoint horner (a b : N) (i : nat) (h : ratio) : ratio :=
  if i is j.+1 then let d := (N.of_nat i * b * h.2)%num in horner a b j (d + a * h.1, d)%num else h.

(* Whether y is at most e^x, and at least e^x. *)
Definition at_most_exp (y x : ratio) (terms : nat) : bool :=
  [&& proper y, proper x & at_most y (horner x.1 x.2 terms (1, 1)%num)].
Definition at_least_exp (y x : ratio) (terms : nat) : bool :=
  [&& proper y, proper x, at_most (2 * x.1, x.2)%num (N.of_nat terms.+1, 1%num)
    & at_most (horner x.1 x.2 terms (2, 1)%num) y].

(* ---------- Why it may be believed ---------- *)

Local Open Scope ring_scope.

Section Exponential.
Variable R : realFieldType.
Implicit Types x lam : R.

Definition term x i : R := x ^+ i / i`!%:R.

Lemma fact_gt0R i : (0 : R) < i`!%:R. Proof. by rewrite ltr0n fact_gt0. Qed.

Lemma termS x i : term x i.+1 = term x i * (x / i.+1%:R).
Proof. by rewrite /term exprSr factS mulnC natrM invfM mulrACA. Qed.

Lemma term_ge0 x i : 0 <= x -> 0 <= term x i.
Proof. by move=> x0; rewrite divr_ge0 ?exprn_ge0 ?ler0n. Qed.

Lemma partial_sumS x i : partial_sum x i.+1 = partial_sum x i + term x i.
Proof. by rewrite /partial_sum big_ord_recr. Qed.

Lemma partial_sum_rises x i j : 0 <= x -> (i <= j)%N -> partial_sum x i <= partial_sum x j.
Proof.
move=> x0; elim: j => [|j IH]; first by rewrite leqn0 => /eqP->.
rewrite leq_eqVlt => /predU1P[-> //|/IH h]; apply: le_trans h _.
by rewrite partial_sumS ler_addl term_ge0.
Qed.

(* If 2 x <= i + 1, what is left out after i terms is at most twice the next term. *)
Lemma partial_sum_bound x i j : 0 <= x -> 2%:R * x <= i.+1%:R -> partial_sum x j <= partial_sum x i + 2%:R * term x i.
Proof.
move=> x0 h; case: (leqP j i) => [ji|/ltnW ij].
  by rewrite (le_trans (partial_sum_rises x0 ji)) // ler_addl mulr_ge0 ?ler0n ?term_ge0.
apply: (@le_trans _ _ (partial_sum x j + 2%:R * term x j)); first by rewrite ler_addl mulr_ge0 ?ler0n ?term_ge0.
rewrite -(subnK ij); elim: (j - i)%N => [//|l IH]; apply: le_trans IH; rewrite addSn.
rewrite partial_sumS -addrA ler_add2l termS.
have t0 := term_ge0 (l + i) x0; rewrite [X in _ <= X]mulr_natl mulr2n ler_add2l mulrCA -[X in _ <= X]mulr1.
apply: ler_wpmul2l => //; rewrite mulrA ler_pdivr_mulr ?ltr0n // mul1r; apply: le_trans h _.
by rewrite ler_nat ltnS leq_addl.
Qed.

Lemma is_exp_unique x lam lam' : is_exp x lam -> is_exp x lam' -> lam = lam'.
Proof. by move=> [h1 h2] [h1' h2']; apply/eqP; rewrite eq_le h2 ?h2'. Qed.

Lemma is_exp0 : is_exp (0 : R) 1.
Proof.
have s i : partial_sum (0 : R) i.+1 = 1.
  elim: i => [|i IH]; rewrite partial_sumS; first by rewrite /partial_sum big_ord0 add0r /term expr0 fact0 divr1.
  by rewrite IH /term exprS !mul0r addr0.
split=> [[|i]|b h]; [by rewrite /partial_sum big_ord0 ler01 | by rewrite s | by rewrite -(s 0%N)].
Qed.

Lemma partial_sum_le x x' i : 0 <= x -> x <= x' -> partial_sum x i <= partial_sum x' i.
Proof.
move=> x0 xx; apply: ler_sum => j _.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_expn2r // nnegrE (le_trans x0).
Qed.

Lemma is_exp_rises x x' lam lam' : 0 <= x -> x <= x' -> is_exp x lam -> is_exp x' lam' -> lam <= lam'.
Proof.
by move=> x0 xx [_ least] [bound _]; apply: least => i; apply: le_trans (bound i); exact: partial_sum_le.
Qed.

Lemma is_exp_ge1 x lam : 0 <= x -> is_exp x lam -> 1 <= lam.
Proof. by move=> x0 h; apply: (is_exp_rises (lexx 0) x0 is_exp0 h). Qed.

Lemma horner_value a b i h : (0 < whole R b) -> (0 < whole R h.2) ->
  0 < whole R (horner a b i h).2 /\
  value R (horner a b i h) = partial_sum (frac R a b) i + term (frac R a b) i * value R h.
Proof.
move=> b0; elim: i h => [|i IH] h h0.
  by split; rewrite //= /partial_sum big_ord0 add0r /term expr0 fact0 divr1 mul1r.
pose d := (N.of_nat i.+1 * b * h.2)%num; rewrite -[horner a b i.+1 h]/(horner a b i (d + a * h.1, d)%num).
have d0 : 0 < whole R d by rewrite !wholeM whole_of_nat !mulr_gt0 // ltr0n.
have [p ->] := IH (d + a * h.1, d)%num d0; split=> //; rewrite partial_sumS -addrA; congr (_ + _).
have -> : value R (d + a * h.1, d)%num = 1 + frac R a b / i.+1%:R * value R h.
  rewrite /value /frac [_.1]/= [_.2]/= wholeD mulrDl divff ?gt_eqF //; congr (_ + _).
  rewrite /d !wholeM whole_of_nat !invfM [_ * (whole R b)^-1]mulrC -!mulrA; congr (_ * _).
  by rewrite mulrCA; congr (_ * _); rewrite mulrCA.
by rewrite mulrDr mulr1 termS !mulrA.
Qed.

Theorem at_most_exp_sound (y x : ratio) terms epsilon lam :
  at_most_exp y x terms -> value R x <= epsilon -> is_exp epsilon lam -> value R y <= lam.
Proof.
case/and3P => y0 x0 h le [bound _]; apply: le_trans (bound terms.+1).
apply: le_trans (partial_sum_le _ (value_ge0 R x) le).
have [p e] := @horner_value x.1 x.2 terms (1, 1)%num (whole_gt0 R x0) ltr01.
rewrite partial_sumS; move: e; rewrite (_ : value R (1, 1)%num = 1) ?mulr1 => [<-|]; last by exact: divr1.
by apply: value_le => //; apply/N.ltb_lt; move: p; rewrite /model.whole ltr0n => /ssrnat.ltP; lia.
Qed.

Theorem at_least_exp_sound (y x : ratio) terms epsilon lam :
  at_least_exp y x terms -> 0 <= epsilon <= value R x -> is_exp epsilon lam -> lam <= value R y.
Proof.
case/and4P => y0 x0 few h /andP[e0 le] [_ least]; apply: least => i; apply: le_trans (partial_sum_le i e0 le) _.
have [p e] := @horner_value x.1 x.2 terms (2, 1)%num (whole_gt0 R x0) ltr01.
apply: le_trans (_ : value R (horner x.1 x.2 terms (2, 1)%num) <= _); last first.
  by apply: value_le => //; apply/N.ltb_lt; move: p; rewrite /model.whole ltr0n => /ssrnat.ltP; lia.
rewrite e (_ : value R (2, 1)%num = 2%:R) ?[_ * 2%:R]mulrC; last by exact: divr1.
apply: partial_sum_bound; first exact: value_ge0.
have := @value_le R (2 * x.1, x.2)%num (N.of_nat terms.+1, 1%num) x0 erefl few.
rewrite -[value R (N.of_nat _, _)]/(whole R (N.of_nat terms.+1) / 1) whole_of_nat divr1.
by rewrite -[value R (_ * _, _)%num]/(whole R (2 * x.1) / whole R x.2) wholeM -mulrA.
Qed.

End Exponential.
