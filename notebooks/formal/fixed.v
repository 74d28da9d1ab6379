(* Datasets that are named beforehand, the same in every round: what they give away is a lower end of what every strategy
   does. The event is that of all lists of counts that are likelier than lambda times as often. *)
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory rounds.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---------- The most telling event ---------- *)

Section Telling.
Variable R : realFieldType.
Variables D D' : nat -> seq R.
Hypothesis same_size : forall i, size (D i) = size (D' i).
Implicit Types (A B : R) (seen : seq nat).

(* The probability of these counts, one a round. *)
Definition likelihood (D : nat -> seq R) seen : R := \prod_(i < size seen) law (D i) (nth 0%N seen i).

Lemma likelihood_rcons (C : nat -> seq R) seen s : likelihood C (rcons seen s) = likelihood C seen * law (C (size seen)) s.
Proof.
rewrite /likelihood size_rcons big_ord_recr /= nth_rcons ltnn eqxx; congr (_ * _).
by apply: eq_bigr => i _; rewrite nth_rcons ltn_ord.
Qed.

Definition telling A B : pred (seq nat) := fun seen => 0 < A * likelihood D seen - B * likelihood D' seen.

(* The pairs of T rounds from the i-th on. *)
Fixpoint listed T i : seq (R * R) :=
  if T is T'.+1 then product (laws (D i) (D' i)) (listed T' i.+1) else nothing_seen R.

Lemma telling_exact A B T seen :
  A * likelihood D seen * Pr_rounds T (fun l => D (size l)) seen (telling A B) -
  B * likelihood D' seen * Pr_rounds T (fun l => D' (size l)) seen (telling A B) =
  profile (listed T (size seen)) (A * likelihood D seen) (B * likelihood D' seen).
Proof.
elim: T seen => [|T IH] seen /=.
  rewrite /profile big_cons big_nil addr0 /= !mulr1 /telling.
  by case: ltrP; rewrite ?mulr1 ?mulr0 ?subr0.
rewrite profile_product big_map -[iota _ _]/(index_iota 0 (size (D (size seen))).+1) big_mkord -same_size.
rewrite !big_distrr /= -sumrB; apply: eq_bigr => s _.
by have := IH (rcons seen s); rewrite size_rcons !likelihood_rcons !mulrA.
Qed.

Lemma telling_needs lam delta T :
  (forall E, Pr_rounds T (fun l => D (size l)) [::] E <= lam * Pr_rounds T (fun l => D' (size l)) [::] E + delta) ->
  profile (listed T 0) 1 lam <= delta.
Proof.
have one (C : nat -> seq R) : likelihood C [::] = 1 by rewrite /likelihood big_ord0.
move=> /(_ (telling 1 lam)); rewrite -ler_subl_addl; have := telling_exact 1 lam T [::].
by rewrite !one !mulr1 mul1r /= => ->.
Qed.

(* Rounds in which the pair is X, and others. *)
Lemma listed_dominates X (changes : pred nat) T i : (forall i, measures (laws (D i) (D' i))) -> measures X ->
  (forall i, dominated (if changes i then X else nothing_seen R) (laws (D i) (D' i))) ->
  dominated (power_of X (count changes (iota i T))) (listed T i).
Proof.
move=> mD mX below; elim: T i => [|T IH] i //=.
have mX' := measures_power (count changes (iota i.+1 T)) mX.
have mZ : measures (if changes i then X else nothing_seen R) by case: (changes i); rewrite //= !ler01.
have h := dominated_product (mD i) mX' (below i) (IH i.+1).
case: (changes i) h => //= h A B a b; apply: le_trans (h A B a b).
by rewrite profile_product big_cons big_nil addr0 !mulr1 add0n.
Qed.

End Telling.

(* ---------- One dataset in every round ---------- *)

Section Fixed.
Variable R : realFieldType.
Variables (n k : nat) (q : R) (m z : nat).
Hypothesis q01 : 0 <= q <= 1.
Hypothesis others : n = (m + z).+1.

(* The two laws of a count, if m of the others hold 1 and z hold 0. *)
Definition named_pair : seq (R * R) := laws (changed k q false m z) (changed k q true m z).

Lemma measures_named : measures named_pair.
Proof. by apply: measures_laws; exact: changed_probabilities. Qed.

Lemma laws_of_reports u b v b' :
  laws (reports k q (u ++ b :: v)) (reports k q (u ++ b' :: v)) =
  laws (changed k q b (count id (u ++ v)) (count negb (u ++ v))) (changed k q b' (count id (u ++ v)) (count negb (u ++ v))).
Proof.
have rp := record_perm k q u; rewrite /laws (perm_size (rp _ v)).
by apply: eq_map => s; rewrite (law_perm _ (rp b v)) (law_perm _ (rp b' v)).
Qed.

Lemma measures_reports (d d' : seq bool) : measures (laws (reports k q d) (reports k q d')).
Proof. by apply: measures_laws; exact: reports_probabilities. Qed.

Lemma power_is_listed (C C' : seq R) T i :
  listed (fun _ => C) (fun _ => C') T i = power_of (laws C C') T.
Proof. by elim: T i => //= T IH i; rewrite IH. Qed.

(* So much a single bit needs in T rounds. *)
Theorem rounds_need T lam delta : DP_rounds T n k q lam delta -> profile (power_of named_pair T) 1 lam <= delta.
Proof.
move=> dp; pose v := nseq m true ++ nseq z false.
pose d b (seen : seq nat) := b :: v.
have strategy seen : size (d false seen) = n /\ neighbours (d false seen) (d true seen).
  by rewrite /d /= size_cat !size_nseq -others; split=> //; exists [::], v, false, true.
have sz (_ : nat) : size (reports k q (false :: v)) = size (reports k q (true :: v)) := size_neighbours k q (strategy [::]).2.
have := telling_needs sz (dp _ _ strategy); rewrite power_is_listed.
have := laws_of_reports [::] false v true; rewrite /= => ->.
by rewrite !count_cat !count_nseq /= !mul1n !mul0n add0n addn0.
Qed.

(* ---------- Histograms ---------- *)

Variables (categories most : nat).
Hypothesis few : (0 < most <= 2)%N && (most <= categories)%N.

(* The record that holds category i. *)
Definition holding (i : nat) : seq bool := mkseq (pred1 i) categories.
(* The changed record holds the first category, or not: then the second one, or none. m others hold the first. *)
Definition elsewhere : seq bool := if (most == 2)%N then holding 1%N else nseq categories false.
Definition named (b : bool) : seq (seq bool) :=
  (if b then holding 0%N else elsewhere) :: nseq m (holding 0%N) ++ nseq z elsewhere.

Lemma nth_holding (i j : nat) : nth false (holding i) j = (j == i) && (j < categories)%N.
Proof.
case: (ltnP j categories) => h; first by rewrite nth_mkseq // andbT.
by rewrite nth_default ?size_mkseq // andbF.
Qed.

Lemma count_holding i : (i < categories)%N -> count id (holding i) = 1%N.
Proof.
move=> h; rewrite /holding /mkseq count_map (eq_count (a2 := pred1 i)) // count_uniq_mem ?iota_uniq //.
by rewrite mem_iota h.
Qed.

Lemma nth_elsewhere j : nth false elsewhere j = [&& (most == 2)%N, j == 1%N & (j < categories)%N].
Proof. by rewrite /elsewhere; case: (most == 2)%N; rewrite ?nth_holding // nth_nseq if_same. Qed.

Lemma named_one_hot b : all (one_hot categories most) (named b).
Proof.
case/andP: few => /andP[m0 m2] mc; have c0 : (0 < categories)%N by exact: leq_trans mc.
have sz i : size (holding i) = categories by exact: size_mkseq.
have first : one_hot categories most (holding 0%N) by rewrite /one_hot sz eqxx count_holding.
have other : one_hot categories most elsewhere.
  rewrite /one_hot /elsewhere; case: (most =P 2%N) => [e|/eqP ne].
    by rewrite sz eqxx count_holding //; rewrite e in mc.
  rewrite size_nseq eqxx count_nseq mul0n /=; move: m0 m2 ne; by case: (most) => [|[|[|]]].
by rewrite /named /= all_cat !all_nseq first other !orbT; case: b; rewrite ?first ?other.
Qed.

Lemma size_named b : size (named b) = n.
Proof. by rewrite /named /= size_cat !size_nseq others. Qed.

Lemma named_close : close_neighbours categories most (named false) (named true).
Proof.
exists [::], (nseq m (holding 0%N) ++ nseq z elsewhere), elsewhere, (holding 0%N); split=> //.
rewrite (@eq_in_count _ _ (fun i => i < most)%N) => [|i]; last first.
  rewrite mem_iota add0n /= => ic; rewrite nth_elsewhere nth_holding ic !andbT.
  case/andP: few => /andP[m0 m2] _; by case: i (most) m0 m2 {ic} => [|[|i]] [|[|[|]]].
elim: (categories) (0%N) => [//|c IH] i /=.
case: (ltnP i most) => h; last first.
  rewrite add0n (@eq_in_count _ _ pred0) ?count_pred0 // => j; rewrite mem_iota => /andP[ij _] /=.
  by rewrite ltnNge (leq_trans h) // ltnW.
rewrite -size_filter; apply: (@leq_trans (size (iota 0 most))); last by rewrite size_iota.
rewrite -[X in (X + _)%N]/(true : nat).
apply: (@uniq_leq_size _ (i :: filter (fun j => j < most)%N (iota i.+1 c))).
  by rewrite /= filter_uniq ?iota_uniq // mem_filter mem_iota ltnn andbF.
move=> j; rewrite in_cons mem_iota add0n => /predU1P[->//|]; by rewrite mem_filter => /andP[].
Qed.

(* What is reported in the i-th turn. *)
Definition turn (b : bool) i : seq R := reports k q (category (i %% categories) (named b)).

Lemma category_named b j : (j < categories)%N ->
  category j (named b) = (if b then j == 0%N else (most == 2)%N && (j == 1%N)) ::
    nseq m (j == 0%N) ++ nseq z ((most == 2)%N && (j == 1%N)).
Proof.
move=> jc; rewrite /category /named /= map_cat !map_nseq !nth_elsewhere !nth_holding jc !andbT.
by case: b; rewrite ?nth_elsewhere ?nth_holding jc ?andbT.
Qed.

Lemma turn_sizes i : size (turn false i) = size (turn true i).
Proof. by apply: size_neighbours; have [] := category_neighbours (i %% categories) named_close. Qed.

Lemma measures_turn i : measures (laws (turn false i) (turn true i)).
Proof. exact: measures_reports. Qed.

Lemma turn_dominates i :
  dominated (if (i %% categories < most)%N then named_pair else nothing_seen R) (laws (turn false i) (turn true i)).
Proof.
case/andP: (few) => /andP[m0 m2] mc; have c0 : (0 < categories)%N by exact: leq_trans mc.
have jc : (i %% categories < categories)%N by rewrite ltn_mod.
have counts (b b' : bool) : (count id (nseq m b ++ nseq z b') = b * m + b' * z)%N /\
    (count negb (nseq m b ++ nseq z b') = ~~ b * m + ~~ b' * z)%N by rewrite !count_cat !count_nseq.
rewrite /turn !category_named //; move: (i %% categories)%N jc => j jc.
have := laws_of_reports [::]; rewrite /= => same; rewrite {}same.
have [-> ->] := counts (j == 0%N) ((most == 2)%N && (j == 1%N)).
case: ltnP => h; last first.
  have -> : (j == 0%N) = false by case: (j) h m0 => //; rewrite leqn0 => /eqP->.
  have -> : (most == 2)%N && (j == 1%N) = false by case: eqP h => //= ->; case: (j) => [|[]].
  have [p1 q1] := laws_sum (erefl (size (changed k q false (false * m + false * z) (~~ false * m + ~~ false * z)))).
  exact: nothing_dominated p1 q1 _.
case: j h jc => [|[|j]] h jc /=; last by case: (most) m2 h => [|[|[|]]].
  by rewrite andbF /= !mul1n !mul0n addn0 add0n.
have -> : (most == 2)%N by rewrite eqn_leq m2.
rewrite /= !mul1n !mul0n add0n addn0; apply: dominated_everywhere; first exact: measures_named.
by move=> lam l0; rewrite !profile_div -/(delta_of k q lam m z) mirror.
Qed.

Lemma turns_that_change T : count (fun i => i %% categories < most)%N (iota 0 (T * categories)) = (T * most)%N.
Proof.
case/andP: (few) => _ mc; elim: T => [//|T IH].
rewrite mulSnr iotaD count_cat IH mulSnr add0n; congr (_ + _)%N.
rewrite -[X in iota X](addn0 (T * categories)%N) iotaDl count_map (eq_in_count (a2 := fun i => i < most)%N); last first.
  by move=> i; rewrite mem_iota add0n /= => ic; rewrite modnMDl modn_small.
rewrite -(subnKC mc) iotaD count_cat (eq_in_count (a2 := predT)) ?count_predT ?size_iota; last first.
  by move=> i; rewrite mem_iota add0n.
rewrite (eq_in_count (a2 := pred0)) ?count_pred0 ?addn0 // => i.
by rewrite mem_iota add0n => /andP[le _]; rewrite ltnNge le.
Qed.

(* So much a histogram of records that hold one category needs in T releases. *)
Theorem histograms_need T lam delta : DP_histograms (one_hot categories most) T categories most n k q lam delta ->
  0 <= lam -> profile (power_of named_pair (T * most)) 1 lam <= delta.
Proof.
move=> dp l0; have strategy : seq nat -> [/\ size (named false) = n, close_neighbours categories most (named false) (named true)
    & all (one_hot categories most) (named false) && all (one_hot categories most) (named true)].
  by rewrite !named_one_hot size_named; split=> //; exact: named_close.
apply: le_trans (telling_needs turn_sizes (dp _ _ strategy)); rewrite -turns_that_change.
exact: listed_dominates measures_turn measures_named turn_dominates _ _ ler01 l0.
Qed.

End Fixed.
