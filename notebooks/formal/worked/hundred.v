(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "delta", "n": 100, "q": "1/10", "k": 1, "epsilon": "1"}: from 0.000517102495711447 to 0.000517102495714005.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Delta 100 1 (1, 10) (Epsilon (1, 1)) (4769428699132779, 9223372036854775808) (298089293697273, 576460752303423488).

Definition shown : witness := (Witness (3286201087413404085960561, 1208925819614629174706176) (1643100543706702042980281, 604462909807314587353088) 26 1 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 4%nat); (5%nat, 15%nat); (16%nat, 62%nat); (63%nat, 99%nat)] (Precision 1000000000 0)).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : meaning R asked.
Proof. exact (@accept_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, meaning R asked.
Print Assumptions promise.
