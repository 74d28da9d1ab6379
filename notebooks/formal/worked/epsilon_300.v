(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "epsilon", "n": 300, "q": "1/10", "k": 2, "delta": "1/1000000"}: from 1.106563891 to 1.106564943.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := Epsilon_of 300 2 (1, 10) (1, 1000000) (1106563891, 1000000000) (1106564943, 1000000000).

Definition shown : witness := (Witness (1827867479093415482552929, 604462909807314587353088) (913932778088919465025225, 302231454903657293676544) 26 0 [:: (0%nat, 0%nat); (1%nat, 3%nat); (4%nat, 7%nat); (8%nat, 17%nat); (18%nat, 36%nat); (37%nat, 76%nat); (77%nat, 160%nat); (161%nat, 299%nat)] (Precision 105 65536)).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : meaning R asked.
Proof. exact (@accept_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, meaning R asked.
Print Assumptions promise.
