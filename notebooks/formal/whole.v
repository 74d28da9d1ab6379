(* What is computed in whole numbers says something about numbers of R. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* A fraction: its two whole numbers. Whether one is at most another, and below it. *)
Definition ratio := (N * N)%type.
Definition at_most (x y : ratio) : bool := (x.1 * y.2 <=? y.1 * x.2)%num.
Definition below (x y : ratio) : bool := (x.1 * y.2 <? y.1 * x.2)%num.
Definition proper (x : ratio) : bool := (0 <? x.2)%num.

Fixpoint power (a : N) (n : nat) : N := if n is n'.+1 then (a * power a n')%num else 1%num.

(* x / 2^c, rounded down and rounded up. *)
Definition down (c x : N) : N := N.shiftr x c.
Definition up (c x : N) : N := N.shiftr (x + N.ones c) c.

Local Open Scope ring_scope.

Section Whole.
Variable R : realFieldType.
Notation whole := (whole R).
Definition value (x : ratio) : R := frac R x.1 x.2.

Lemma whole_ge0 x : 0 <= whole x. Proof. exact: ler0n. Qed.
Lemma whole0 : whole 0 = 0. Proof. by []. Qed.
Lemma whole1 : whole 1 = 1. Proof. by []. Qed.
Lemma whole2 : whole 2 = 2%:R. Proof. by []. Qed.
Lemma whole_of_nat n : whole (N.of_nat n) = n%:R. Proof. by rewrite /model.whole Nat2N.id. Qed.
Lemma wholeD x y : whole (x + y) = whole x + whole y.
Proof. by rewrite /model.whole N2Nat.inj_add plusE natrD. Qed.
Lemma wholeM x y : whole (x * y) = whole x * whole y.
Proof. by rewrite /model.whole N2Nat.inj_mul multE natrM. Qed.
Lemma whole_le x y : (x <=? y)%num -> whole x <= whole y.
Proof. by move=> /N.leb_le h; rewrite /model.whole ler_nat; apply/ssrnat.leP; lia. Qed.
Lemma whole_lt x y : (x <? y)%num -> whole x < whole y.
Proof. by move=> /N.ltb_lt h; rewrite /model.whole ltr_nat; apply/ssrnat.ltP; lia. Qed.
Lemma whole_gt0 x : (0 <? x)%num -> 0 < whole x.
Proof. exact: whole_lt. Qed.
Lemma wholeB x y : whole (x - y) = Num.max 0 (whole x - whole y).
Proof.
rewrite /model.whole N2Nat.inj_sub minusE; case: (leqP (N.to_nat y) (N.to_nat x)) => h.
  by rewrite natrB // max_r // subr_ge0 ler_nat.
by rewrite (eqP (ltnW h : _ - _ == 0)%N) max_l // subr_le0 ler_nat ltnW.
Qed.
Lemma whole_power a n : whole (power a n) = whole a ^+ n.
Proof. by elim: n => //= n IH; rewrite wholeM IH exprS. Qed.
Lemma whole_2pow c : whole (2 ^ c) = 2%:R ^+ N.to_nat c.
Proof.
rewrite /model.whole N2Nat.inj_pow; set j := N.to_nat c; rewrite -natrX; congr (_%:R).
by elim: j => //= j IH; rewrite IH expnS mul2n -addnn plusE addn0.
Qed.

Lemma whole_down c x : whole (down c x) * 2%:R ^+ N.to_nat c <= whole x.
Proof.
rewrite /down N.shiftr_div_pow2 -whole_2pow -wholeM; apply: whole_le; apply/N.leb_le.
by rewrite N.mul_comm; apply: N.mul_div_le; apply: N.pow_nonzero.
Qed.

Lemma whole_up c x : whole x <= whole (up c x) * 2%:R ^+ N.to_nat c.
Proof.
rewrite /up N.shiftr_div_pow2 -whole_2pow -wholeM; apply: whole_le; apply/N.leb_le.
rewrite N.ones_equiv; have h : (2 ^ c <> 0)%num by apply: N.pow_nonzero.
have := N.mul_succ_div_gt (x + N.pred (2 ^ c)) _ h; nia.
Qed.

Lemma whole_down_ones c x : whole x <= whole (N.ones c) + whole (down c x) * 2%:R ^+ N.to_nat c.
Proof.
rewrite /down N.shiftr_div_pow2 -whole_2pow -wholeM -wholeD; apply: whole_le; apply/N.leb_le.
rewrite N.ones_equiv; have h : (2 ^ c <> 0)%num by apply: N.pow_nonzero.
have := N.mul_succ_div_gt x _ h; nia.
Qed.

Lemma down0 c : down c 0 = 0%num. Proof. exact: N.shiftr_0_l. Qed.
Lemma up0 c : up c 0 = 0%num.
Proof.
rewrite /up N.add_0_l N.shiftr_div_pow2 N.ones_equiv; apply: N.div_small; have := N.pow_nonzero 2 c; lia.
Qed.

Lemma value_ge0 x : 0 <= value x.
Proof. by rewrite divr_ge0 ?whole_ge0. Qed.
Lemma value_le x y : proper x -> proper y -> at_most x y -> value x <= value y.
Proof.
move=> /whole_gt0 hx /whole_gt0 hy /whole_le; rewrite !wholeM /value /frac ler_pdivr_mulr // mulrAC.
by rewrite ler_pdivl_mulr.
Qed.
Lemma value_lt x y : proper x -> proper y -> below x y -> value x < value y.
Proof.
move=> /whole_gt0 hx /whole_gt0 hy /whole_lt; rewrite !wholeM /value /frac ltr_pdivr_mulr // mulrAC.
by rewrite ltr_pdivl_mulr.
Qed.

End Whole.
