(* Noise on a count: how much delta it needs is a sum of whole numbers, exactly. N1 of the proof notes. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* The sum of [v w_{s-c} - u w_s]_+, and of [v w_s - u w_{s-c}]_+, over all s. *)
Definition raised (l : ratio) (w : seq N) (c : nat) : N :=
  positive_parts (map (N.mul l.2) (ncons c 0%num w)) (map (N.mul l.1) w) 0%num.
Definition lowered (l : ratio) (w : seq N) (c : nat) : N :=
  positive_parts (map (N.mul l.2) w) (map (N.mul l.1) (ncons c 0%num w)) 0%num.

Definition larger (x y : N) : N := if (x <=? y)%num then y else x.

(* The largest of them for all changes, and its unit. *)
Definition needed (w : seq N) (most : nat) (l : ratio) : ratio :=
  (foldr (fun c => larger (larger (raised l w c) (lowered l w c))) 0%num (iota 1 most), (l.2 * total w)%num).

Definition sensible_noise (w : seq N) (l : ratio) : bool := [&& (0 <? total w)%num, proper l & at_most (1, 1)%num l].

(* ---------- Why it may be believed ---------- *)

Local Open Scope ring_scope.

Section Noise.
Variable R : realFieldType.
Notation whole := (whole R).
Notation value := (value R).
Implicit Types (f : seq R) (E : pred nat) (w : seq N).

Lemma sum_within (F : nat -> R) x L M : (x + L <= M)%N -> (forall y, (y < x)%N -> F y = 0) ->
  (forall y, (x + L <= y)%N -> F y = 0) -> \sum_(y < M) F y = \sum_(s < L) F (x + s)%N.
Proof.
move=> /subnKC <- low high; rewrite !big_split_ord /= big1 => [|i _]; last exact: low.
by rewrite add0r [X in _ + X]big1 ?addr0 // => i _; apply: high; rewrite leq_addr.
Qed.

(* The probability that x and the noise are y. *)
Definition at_y f x y : R := nth 0 (ncons x 0 f) y.

Lemma at_y_below f x y : (y < x)%N -> at_y f x y = 0.
Proof. by move=> h; rewrite /at_y nth_ncons h. Qed.
Lemma at_y_above f x y : (x + size f <= y)%N -> at_y f x y = 0.
Proof. by move=> h; rewrite /at_y nth_default // size_ncons. Qed.
Lemma at_y_shift f m x y : at_y f (m + x) (m + y) = at_y f x y.
Proof. by rewrite /at_y !nth_ncons ltn_add2l subnDl. Qed.

Lemma released_sum f d E M : (sumn d + size f <= M)%N ->
  released f d E = \sum_(y < M | E y) at_y f (sumn d) y.
Proof.
move=> h; rewrite /released big_mkcond [RHS]big_mkcond /=.
rewrite (sum_within (F := fun y => if E y then at_y f (sumn d) y else 0) h) => [|y lt|y le].
- by apply: eq_bigr => s _; rewrite /at_y nth_ncons ltnNge leq_addr /= addKn.
- by rewrite at_y_below // if_same.
- by rewrite at_y_above // if_same.
Qed.

(* How much one count is above lam times the other. *)
Definition apart f lam x x' M : R := \sum_(y < M) Num.max 0 (at_y f x y - lam * at_y f x' y).

Lemma apart_shift f lam m x x' M : (x + size f <= M)%N -> (x' + size f <= M)%N ->
  apart f lam (m + x) (m + x') (m + M) = apart f lam x x' M.
Proof.
move=> h h'; rewrite /apart (sum_within (F := fun y => Num.max 0 (at_y f (m + x) y - lam * at_y f (m + x') y)) (L := M) (x := m)) //.
- by apply: eq_bigr => y _; rewrite !at_y_shift.
- by move=> y lt; rewrite !at_y_below ?mulr0 ?subr0 ?maxxx // ltn_addr.
- move=> y le; rewrite !at_y_above ?mulr0 ?subr0 ?maxxx // -addnA; apply: leq_trans le; by rewrite leq_add2l.
Qed.

Lemma events f lam delta d d' M : (sumn d + size f <= M)%N -> (sumn d' + size f <= M)%N ->
  (forall E, released f d E <= lam * released f d' E + delta) <-> apart f lam (sumn d) (sumn d') M <= delta.
Proof.
move=> h h'; split=> [dp|small E].
  have := dp (fun y => 0 < at_y f (sumn d) y - lam * at_y f (sumn d') y).
  rewrite -ler_subl_addl !(released_sum _ (M := M)) // big_distrr /= -sumrB => {}dp; apply: le_trans dp.
  rewrite /apart [X in _ <= X]big_mkcond /=; apply: ler_sum => y _; by case: ltrP.
rewrite -ler_subl_addl !(released_sum _ (M := M)) // big_distrr /= -sumrB; apply: le_trans small.
by rewrite big_mkcond ler_sum // => y _; case: ifP => _; rewrite le_maxr lexx ?orbT.
Qed.

(* Privacy is one inequality for each change, up and down. *)
Lemma DP_changes f most lam delta : (forall i, 0 <= nth 0 f i) -> 1 <= lam ->
  DP_noise f most lam delta <->
  0 <= delta /\ (forall c, (0 < c <= most)%N ->
    apart f lam c 0 (c + size f) <= delta /\ apart f lam 0 c (c + size f) <= delta).
Proof.
move=> pos lam1; split=> [dp|[d0 small] d d' bd bd' [u [v [b [b' [ed ed']]]]]].
  split=> [|c /andP[c0 cm]].
    have := dp [::0%N] [::0%N] isT isT; move/(_ _ pred0); rewrite /released !big_pred0 // mulr0 add0r; apply.
    by exists [::], [::], 0%N, 0%N.
  have nb : neighbours [:: c] [:: 0%N] by exists [::], [::], c, 0%N.
  have nb' : neighbours [:: 0%N] [:: c] by exists [::], [::], 0%N, c.
  have bc : all (leq^~ most) [:: c] by rewrite /= cm.
  have b0 : all (leq^~ most) [:: 0%N] by [].
  have e : sumn [:: c] = c by rewrite /= addn0.
  have h : (sumn [:: c] + size f <= c + size f)%N by rewrite e.
  have h' : (sumn [:: 0%N] + size f <= c + size f)%N by rewrite /= leq_addl.
  by have := (events lam delta h h').1 (dp _ _ bc b0 nb); have := (events lam delta h' h).1 (dp _ _ b0 bc nb'); rewrite !e.
pose rest := (sumn u + sumn v)%N.
have sd x : sumn (u ++ x :: v) = (rest + x)%N by rewrite sumn_cat /= [(x + _)%N]addnC addnA.
have [bm bm'] : (b <= most)%N /\ (b' <= most)%N.
  by move: bd bd'; rewrite ed ed' !all_cat /= => /and3P[_ -> _] /and3P[_ -> _].
rewrite {}ed {}ed' in bd bd' *.
case: (ltngtP b b') => bb.
- apply/(@events f lam delta _ _ (rest + b + ((b' - b) + size f))).
  + by rewrite sd leq_add2l leq_addl.
  + by rewrite sd addnA -[(rest + b + _)%N]addnA subnKC // ltnW.
  have -> : sumn (u ++ b :: v) = (rest + b + 0)%N by rewrite sd addn0.
  have -> : sumn (u ++ b' :: v) = (rest + b + (b' - b))%N by rewrite sd -addnA subnKC // ltnW.
  rewrite apart_shift ?leq_addl //.
  by apply: (small _ _).2; rewrite subn_gt0 bb (leq_trans (leq_subr _ _)).
- apply/(@events f lam delta _ _ (rest + b' + ((b - b') + size f))).
  + by rewrite sd addnA -[(rest + b' + _)%N]addnA subnKC // ltnW.
  + by rewrite sd leq_add2l leq_addl.
  have -> : sumn (u ++ b' :: v) = (rest + b' + 0)%N by rewrite sd addn0.
  have -> : sumn (u ++ b :: v) = (rest + b' + (b - b'))%N by rewrite sd -addnA subnKC // ltnW.
  rewrite apart_shift ?leq_addl //.
  by apply: (small _ _).1; rewrite subn_gt0 bb (leq_trans (leq_subr _ _)).
move=> E; rewrite -bb; apply: (@le_trans _ _ (lam * released f (u ++ b :: v) E)); last by rewrite ler_addl.
by rewrite -{1}[released _ _ _]mul1r ler_wpmul2r // sumr_ge0.
Qed.

Lemma DP_noise_larger_lambda f most lam lam' delta : (forall i, 0 <= nth 0 f i) -> lam <= lam' ->
  DP_noise f most lam delta -> DP_noise f most lam' delta.
Proof.
move=> pos le dp d d' bd bd' nb E; apply: le_trans (dp d d' bd bd' nb E) _.
by rewrite ler_add2r ler_wpmul2r // sumr_ge0.
Qed.

(* In whole numbers. *)
Lemma whole_total w : whole (total w) = \sum_(x <- w) whole x.
Proof. by elim: w => [|x w IH]; rewrite ?big_nil // big_cons -IH -wholeD. Qed.

Lemma at_y_weighted w c y : at_y (weighted R w) c y = whole (nth 0%num (ncons c 0%num w) y) / whole (total w).
Proof.
rewrite /at_y !nth_ncons whole_total /weighted; case: ifP => _; first by rewrite mul0r.
case: (ltnP (y - c) (size w)) => h; first by rewrite (nth_map 0%num).
by rewrite !nth_default ?size_map // mul0r.
Qed.

Lemma weighted_ge0 w i : 0 <= nth 0 (weighted R w) i.
Proof. by have := at_y_weighted w 0 i; rewrite /at_y /= => ->; rewrite divr_ge0 ?whole_ge0. Qed.

Lemma nth_scaled x w y : nth 0%num (map (N.mul x) w) y = (x * nth 0 w y)%num.
Proof.
case: (ltnP y (size w)) => h; first by rewrite (nth_map 0%num).
by rewrite !nth_default ?size_map // N.mul_0_r.
Qed.

Lemma parts_apart l w c c' M : sensible_noise w l -> (c + size w <= M)%N ->
  whole (positive_parts (map (N.mul l.2) (ncons c 0%num w)) (map (N.mul l.1) (ncons c' 0%num w)) 0%num)
  = apart (weighted R w) (value l) c c' M * whole (l.2 * total w).
Proof.
move=> /and3P[/(whole_gt0 R)/lt0r_neq0 t0 /(whole_gt0 R)/lt0r_neq0 v0 _] h.
rewrite (@positive_parts_sum R _ _ _ M) ?size_map ?size_ncons // /apart big_distrl /=; apply: eq_bigr => y _.
rewrite !coef_poly_of !nth_scaled !at_y_weighted whole0 addr0 !wholeM maxr_pmull ?mulr_ge0 ?whole_ge0 // mul0r; congr (Num.max _ _).
rewrite mulrBl /whole.value /frac; congr (_ - _).
  by rewrite mulrCA divfK.
by rewrite mulrACA !divfK.
Qed.

Lemma larger_le x y (z : R) : whole (larger x y) <= z <-> whole x <= z /\ whole y <= z.
Proof.
rewrite /larger; case h: (x <=? y)%num; split=> [le|[]//]; split=> //; apply: le_trans le; apply: whole_le => //.
by apply/N.leb_le; move/N.leb_gt: h => h; exact: N.lt_le_incl.
Qed.

Lemma largest_le l w cs (z : R) :
  whole (foldr (fun c => larger (larger (raised l w c) (lowered l w c))) 0%num cs) <= z <->
  0 <= z /\ {in cs, forall c, whole (raised l w c) <= z /\ whole (lowered l w c) <= z}.
Proof.
elim: cs => [|c cs IH] /=; first by rewrite whole0; split=> [|[]].
split=> [/larger_le[/larger_le both /IH[z0 rest]]|[z0 both]].
  by split=> // c'; rewrite inE => /orP[/eqP->|/rest].
apply/larger_le; split; first by apply/larger_le; apply: both; rewrite inE eqxx.
by apply/IH; split=> // c' h; apply: both; rewrite inE h orbT.
Qed.

Lemma needed_proper w most l : sensible_noise w l -> proper (needed w most l).
Proof. by move=> /and3P[/N.ltb_lt t0 /N.ltb_lt v0 _]; apply/N.ltb_lt; apply: N.mul_pos_pos. Qed.

(* So much delta is needed, and enough. *)
Theorem noise_exact w most l delta : sensible_noise w l ->
  DP_noise (weighted R w) most (value l) delta <-> value (needed w most l) <= delta.
Proof.
move=> ok; case/and3P: (ok) => t0 v0 l1; have unit0 : 0 < whole (needed w most l).2.
  by rewrite /needed /= wholeM mulr_gt0 ?whole_gt0.
have lam1 : 1 <= value l.
  by have := value_le R (erefl : proper (1, 1)%num) v0 l1; rewrite {1}/whole.value /frac whole1 divr1.
rewrite {1}/whole.value /frac ler_pdivr_mulr // largest_le DP_changes //; last exact: weighted_ge0.
have size_w : size (weighted R w) = size w by rewrite size_map.
have up c : whole (raised l w c) = apart (weighted R w) (value l) c 0 (c + size w) * whole (needed w most l).2.
  by rewrite /raised -[map (N.mul l.1) w]/(map (N.mul l.1) (ncons 0 0%num w)) (@parts_apart l w c 0 _ ok (leqnn _)).
have down c : whole (lowered l w c) = apart (weighted R w) (value l) 0 c (c + size w) * whole (needed w most l).2.
  by rewrite /lowered -[map (N.mul l.2) w]/(map (N.mul l.2) (ncons 0 0%num w)) (@parts_apart l w 0 c (c + size w) ok (leq_addl _ _)).
rewrite size_w pmulr_lge0 //; split=> -[d0 small]; split=> // c.
  by rewrite mem_iota add1n ltnS => /small; rewrite up down !ler_pmul2r.
by move=> h; have := small c; rewrite mem_iota add1n ltnS up down !ler_pmul2r //; apply.
Qed.

End Noise.
