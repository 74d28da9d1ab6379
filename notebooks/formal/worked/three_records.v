(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "delta", "n": 3, "q": "1/4", "k": 1, "lam": "2"}: from 0.140625 to 0.140625.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Delta 3 1 (1, 4) (Lambda (2, 1)) (9, 64) (9, 64).

Definition shown : witness := (Witness (2, 1) (2, 1) 0 0 [:: (0%nat, 0%nat); (1%nat, 2%nat)] (Precision 1000000000 0)).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : meaning R asked.
Proof. exact (@accept_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, meaning R asked.
Print Assumptions promise.
