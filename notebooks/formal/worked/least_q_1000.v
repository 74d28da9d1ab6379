(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "least_q", "n": 1000, "k": 1, "delta": "1/1000000", "epsilon": "1"}: from 0.0307405993 to 0.030740627.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Least_q 1000 1 (Epsilon (1, 1)) (1, 1000000) (307405993, 10000000000) (30740627, 1000000000).

Definition shown : witness := (Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26 0 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 3%nat); (4%nat, 14%nat); (15%nat, 59%nat); (60%nat, 217%nat); (218%nat, 836%nat); (837%nat, 999%nat)] (Precision 105 65536)).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : meaning R asked.
Proof. exact (@accept_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, meaning R asked.
Print Assumptions promise.
