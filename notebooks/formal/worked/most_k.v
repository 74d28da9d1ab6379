(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "most_k", "n": 60, "q": "1/5", "delta": "1/100", "epsilon": "1"}: from 6 to 7.
   The exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Most_k 60%nat (1, 5) (Epsilon (1, 1)) (1, 100) 6%nat.

Definition shown : witness := Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26%nat 0%nat
  [:: (0, 7); (8, 16); (17, 28); (29, 43); (44, 59)]%nat (Precision 1000000000 0).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : forall lam : R, is_exp (frac R 1 1) lam ->
  DP 60 6 (frac R 1 5) lam (frac R 1 100) /\ ~ DP 60 (6.+1) (frac R 1 5) lam (frac R 1 100).
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
