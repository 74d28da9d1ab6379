(* Written by dpcalc from a certificate. The claim, for n = 100, k = 1, q = 1/10, epsilon = 1, every dataset, both directions:
   delta = 0.000517102495714009 is enough, and no delta below 0.000517102495711443 is (both rounded outward).
   Its exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Delta 100%nat 1%nat (1, 10) (Epsilon (1, 1)) (4769428699132745, 9223372036854775808) (2384714349578201, 4611686018427387904).

Definition shown : witness := Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26%nat 1%nat
  [:: (0, 0); (1, 1); (2, 4); (5, 15); (16, 62); (63, 99)]%nat (Precision 1000000000 0).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : forall lam : R, is_exp (frac R 1 1) lam ->
  DP 100 1 (frac R 1 10) lam (frac R 2384714349578201 4611686018427387904) /\
  (forall delta : R, DP 100 1 (frac R 1 10) lam delta -> (frac R 4769428699132745 9223372036854775808) <= delta).
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
