(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "least_n", "q": "1/10", "k": 1, "delta": "1/1000000", "epsilon": "1"}: from 235 to 236.
   The exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Least_n 1%nat (1, 10) (Epsilon (1, 1)) (1, 1000000) 235%nat 236%nat.

Definition shown : witness := Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26%nat 0%nat
  [:: (0, 0); (1, 1); (2, 10); (11, 39); (40, 151); (152, 235)]%nat (Precision 1000000000 0).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : forall lam : R, is_exp (frac R 1 1) lam -> forall n : nat,
  ((236 <= n)%N -> DP n 1 (frac R 1 10) lam (frac R 1 1000000)) /\
  ((0 < n <= 235)%N -> ~ DP n 1 (frac R 1 10) lam (frac R 1 1000000)).
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
