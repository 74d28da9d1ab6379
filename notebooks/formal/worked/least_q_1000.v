(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "least_q", "n": 1000, "k": 1, "delta": "1/1000000", "epsilon": "1"}: from 0.0307405993 to 0.030740627.
   The exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Least_q 1000%nat 1%nat (Epsilon (1, 1)) (1, 1000000) (307405993, 10000000000) (30740627, 1000000000).

Definition shown : witness := Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26%nat 0%nat
  [:: (0, 0); (1, 1); (2, 3); (4, 14); (15, 59); (60, 217); (218, 836); (837, 999)]%nat (Precision 105 65536).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : forall lam : R, is_exp (frac R 1 1) lam -> forall q : R,
  ((frac R 30740627 1000000000) <= q <= 2%:R^-1 -> DP 1000 1 q lam (frac R 1 1000000)) /\
  (0 < q <= (frac R 307405993 10000000000) -> ~ DP 1000 1 q lam (frac R 1 1000000)).
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
