(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {"what": "delta", "rounds": [{"n": 20, "q": "1/5", "k": 1, "times": 10}], "epsilon": "1"}: from 0 to 0.208007.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : rounds_question := Rounds_delta (Bits 10) 20 1 (1, 5) (Epsilon (1, 1)) (0, 1) (208007, 1000000).

Definition shown : rounds_witness := (RoundsWitness (3286201087413404085960561, 1208925819614629174706176) (1, 1) 26 (Lattice (Grid 16580873812991670535 64 102) [:: (Knot (1, 1) 697064181655685734414440616847 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 3%nat); (4%nat, 4%nat); (5%nat, 6%nat); (7%nat, 7%nat); (8%nat, 8%nat); (9%nat, 9%nat); (10%nat, 10%nat); (11%nat, 11%nat); (12%nat, 12%nat); (13%nat, 14%nat); (15%nat, 15%nat); (16%nat, 17%nat); (18%nat, 18%nat); (19%nat, 19%nat)] (Precision 1000000000 0)); (Knot (298642895, 268435456) 503770803022020260266393207938 [:: (0%nat, 0%nat); (1%nat, 2%nat); (3%nat, 3%nat); (4%nat, 5%nat); (6%nat, 7%nat); (8%nat, 8%nat); (9%nat, 10%nat); (11%nat, 13%nat); (14%nat, 16%nat); (17%nat, 19%nat)] (Precision 1000000000 0)); (Knot (85055903181, 68719476736) 353764894833195488014199956129 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 3%nat); (4%nat, 4%nat); (5%nat, 6%nat); (7%nat, 10%nat); (11%nat, 14%nat); (15%nat, 19%nat)] (Precision 1000000000 0)); (Knot (1514037916829, 1099511627776) 251293357819980068610392582656 [:: (0%nat, 0%nat); (1%nat, 2%nat); (3%nat, 4%nat); (5%nat, 7%nat); (8%nat, 13%nat); (14%nat, 19%nat)] (Precision 1000000000 0)); (Knot (842207421775, 549755813888) 161979338003739015404244966399 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 2%nat); (3%nat, 4%nat); (5%nat, 8%nat); (9%nat, 16%nat); (17%nat, 19%nat)] (Precision 1000000000 0)); (Knot (1873964537899, 1099511627776) 108941852224503148020913789389 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 4%nat); (5%nat, 9%nat); (10%nat, 19%nat)] (Precision 1000000000 0)); (Knot (1042422269891, 549755813888) 80565104368585831505334732751 [:: (0%nat, 0%nat); (1%nat, 3%nat); (4%nat, 9%nat); (10%nat, 19%nat)] (Precision 1000000000 0)); (Knot (2319455180263, 1099511627776) 50159628803508855606854812828 [:: (0%nat, 0%nat); (1%nat, 2%nat); (3%nat, 7%nat); (8%nat, 19%nat)] (Precision 1000000000 0)); (Knot (2580466903211, 1099511627776) 26732935954164039158297610353 [:: (0%nat, 0%nat); (1%nat, 1%nat); (2%nat, 6%nat); (7%nat, 19%nat)] (Precision 1000000000 0)); (Knot (2870850661497, 1099511627776) 20299914783461844028326938081 [:: (0%nat, 0%nat); (1%nat, 4%nat); (5%nat, 19%nat)] (Precision 1000000000 0)); (Knot (3193911733709, 1099511627776) 16005696568132722425746394985 [:: (0%nat, 0%nat); (1%nat, 7%nat); (8%nat, 19%nat)] (Precision 1000000000 0)); (Knot (1, 1) 5070602400912917605986812821504 [:: ] (Precision 0 0)); (Knot (494148566197, 137438953472) 5913176831959778849324711836 [:: (0%nat, 0%nat); (1%nat, 7%nat); (8%nat, 19%nat)] (Precision 1000000000 0)); (Knot (4398046683347, 1099511627776) 0 [:: (0%nat, 19%nat)] (Precision 1000000000 0))] [:: 14615010714606867646229191054; 5658707907109880368058; 0; 0; 9743031820167122526330049300; 74326872534271026073506945269; 43811488912175682678766146771; 5457706195826186252721826990; 159697830122526921679773001996; 268727762263785931384641301597; 159326812303290317249335130868; 462473373809188989738239806283; 519502833926814379553090333846; 938172762734509207787344000604; 577963256406069041943863966086; 572415454466413968284611317329; 219394528353118673354179339762; 411681896031202802463720585498; 272182724465061177950760345945; 10348657235321888246941728368; 92421746478426518548849698381; 174439296273644291602150022463; 25439284714515696174616829114; 0; 0; 20345341172844369619689; 58460045147931834892891266243] 112 9 39 39) (Minorant (Grid 0 0 0) 0 (Precision 0 0) 0 [:: ] [:: ] 0 0 0 0 0)).

Lemma accepted : accept_rounds asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : rounds_meaning R asked.
Proof. exact (@accept_rounds_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked rounds_meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, rounds_meaning R asked.
Print Assumptions promise.
