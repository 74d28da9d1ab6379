(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "epsilon", "n": 300, "q": "1/10", "k": 2, "delta": "1/1000000"}: from 1.106563891 to 1.106564943.
   The exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Epsilon_of 300%nat 2%nat (1, 10) (1, 1000000) (1106563891, 1000000000) (1106564943, 1000000000).

Definition shown : witness := Witness (1827867479093415482552929, 604462909807314587353088) (913932778088919465025225, 302231454903657293676544) 26%nat 0%nat
  [:: (0, 0); (1, 3); (4, 7); (8, 17); (18, 36); (37, 76); (77, 160); (161, 299)]%nat (Precision 105 65536).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : forall epsilon lam : R, is_exp epsilon lam ->
  ((frac R 1106564943 1000000000) <= epsilon -> DP 300 2 (frac R 1 10) lam (frac R 1 1000000)) /\
  (0 < epsilon <= (frac R 1106563891 1000000000) -> ~ DP 300 2 (frac R 1 10) lam (frac R 1 1000000)).
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
