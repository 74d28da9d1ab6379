(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "most_k", "n": 60, "q": "1/5", "delta": "1/100", "epsilon": "1"}: from 6 to 7.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Most_k 60 (1, 5) (Epsilon (1, 1)) (1, 100) 6.

Definition shown : witness := (Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26 0 [:: (0%nat, 7%nat); (8%nat, 16%nat); (17%nat, 28%nat); (29%nat, 43%nat); (44%nat, 59%nat)] (Precision 1000000000 0)).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : meaning R asked.
Proof. exact (@accept_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, meaning R asked.
Print Assumptions promise.
