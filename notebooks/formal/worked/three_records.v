(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "delta", "n": 3, "q": "1/4", "k": 1, "lam": "2"}: from 0.140625 to 0.140625.
   The exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Delta 3%nat 1%nat (1, 4) (Lambda (2, 1)) (9, 64) (9, 64).

Definition shown : witness := Witness (2, 1) (2, 1) 0%nat 0%nat
  [:: (0, 0); (1, 2)]%nat (Precision 1000000000 0).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : forall lam : R, lam = (frac R 2 1) ->
  DP 3 1 (frac R 1 4) lam (frac R 9 64) /\
  (forall delta : R, DP 3 1 (frac R 1 4) lam delta -> (frac R 9 64) <= delta).
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
