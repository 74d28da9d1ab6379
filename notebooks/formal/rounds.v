(* Rounds, each on a dataset that may depend on the earlier counts: a pair of measures that dominates every round dominates
   every strategy. Labels in brackets are those of the proof notes (proofs_composition.md).

   A pair of measures is the list of its outcomes: of each the mass under P and the mass under Q. *)
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Pairs.
Variable R : realFieldType.
Implicit Types (X Y Z : seq (R * R)) (A B lam : R).

(* ---------- Profiles ---------- *)

(* The sum of [A P - B Q]_+ over all outcomes. For A = 1 it is the profile at lambda = B. *)
Definition profile X A B : R := \sum_(x <- X) Num.max 0 (A * x.1 - B * x.2).

Definition measures X := all (fun x => (0 <= x.1) && (0 <= x.2)) X.

(* Y gives away at least as much as X, at every lambda. *)
Definition dominated X Y : Prop := forall A B, 0 <= A -> 0 <= B -> profile X A B <= profile Y A B.

Lemma profile_ge0 X A B : 0 <= profile X A B.
Proof. by rewrite sumr_ge0 // => x _; rewrite le_maxr lexx. Qed.

Lemma profile_above X A B : A * (\sum_(x <- X) x.1) - B * (\sum_(x <- X) x.2) <= profile X A B.
Proof. by rewrite !mulr_sumr -sumrB; apply: ler_sum => x _; rewrite le_maxr lexx orbT. Qed.

(* Only multiples of one number matter. *)
Lemma profile_scaled X c A B : 0 <= c -> profile X (c * A) (c * B) = c * profile X A B.
Proof.
move=> c0; rewrite /profile big_distrr; apply: eq_bigr => x _ /=.
by rewrite (maxr_pmulr _ _ c0) mulr0 mulrBr !mulrA.
Qed.

Lemma profile_without_P X B : measures X -> 0 <= B -> profile X 0 B = 0.
Proof.
move=> /allP mX b; rewrite /profile big_seq big1 // => x /mX/andP[_ x2].
by rewrite mul0r add0r max_l // oppr_le0 mulr_ge0.
Qed.

Lemma dominated_everywhere X Y : measures X ->
  (forall lam, 0 <= lam -> profile X 1 lam <= profile Y 1 lam) -> dominated X Y.
Proof.
move=> mX h A B; rewrite le_eqVlt => /orP[/eqP <-|a] b; first by rewrite profile_without_P ?profile_ge0.
have e Z : profile Z A B = A * profile Z 1 (B / A).
  by rewrite -profile_scaled ?ltW // mulr1 mulrCA divff ?mulr1 // gt_eqF.
rewrite !e; apply: ler_wpmul2l; first exact: ltW.
by apply: h; rewrite divr_ge0 // ltW.
Qed.

(* (C1) It is convex and falls. *)
Lemma profile_convex X t x y : 0 <= t <= 1 ->
  profile X 1 ((1 - t) * x + t * y) <= (1 - t) * profile X 1 x + t * profile X 1 y.
Proof.
move=> /andP[t0 t1]; rewrite /profile !big_distrr -big_split /=; apply: ler_sum => z _.
have u0 : 0 <= 1 - t by rewrite subr_ge0.
rewrite !maxr_pmulr // !mulr0 le_maxl; apply/andP; split; first by rewrite addr_ge0 // le_maxr lexx.
apply: (@le_trans _ _ ((1 - t) * (1 * z.1 - x * z.2) + t * (1 * z.1 - y * z.2))).
  have e : (1 - t) * z.1 + t * z.1 = z.1 by rewrite -mulrDl subrK mul1r.
  by rewrite !mul1r [(_ + t * y) * _]mulrDl !mulrBr addrACA e opprD !mulrA lexx.
by apply: ler_add; rewrite le_maxr lexx orbT.
Qed.

Lemma profile_chord X x x' lam : x <= lam <= x' ->
  (x' - x) * profile X 1 lam <= (x' - lam) * profile X 1 x + (lam - x) * profile X 1 x'.
Proof.
move=> /andP[le le']; have := le_trans le le'; rewrite le_eqVlt => /orP[/eqP e|lt].
  have -> : lam = x by apply/eqP; rewrite eq_le le e le'.
  by rewrite !subrr !mul0r addr0 -e subrr mul0r.
have pos : 0 < x' - x by rewrite subr_gt0.
pose t := (lam - x) / (x' - x); have tx : t * (x' - x) = lam - x by rewrite divfK // gt_eqF.
have t01 : 0 <= t <= 1.
  apply/andP; split; first by apply: divr_ge0 (ltW pos); rewrite subr_ge0.
  by rewrite /t ler_pdivr_mulr // mul1r ler_add2r.
have tx' : (1 - t) * (x' - x) = x' - lam by rewrite mulrBl mul1r tx opprB addrA subrK.
have e : (1 - t) * x + t * x' = lam.
  by rewrite mulrBl mul1r -addrA [- _ + _]addrC -mulrBr tx addrC subrK.
by have := ler_wpmul2l (ltW pos) (profile_convex X x x' t01); rewrite e mulrDr [_ * ((1 - t) * _)]mulrA [_ * (1 - t)]mulrC tx' [_ * (t * _)]mulrA [_ * t]mulrC tx.
Qed.

Lemma profile_falls X x y : measures X -> x <= y -> profile X 1 y <= profile X 1 x.
Proof.
move=> /allP mX xy; rewrite /profile !big_seq; apply: ler_sum => z /mX/andP[_ z2].
rewrite le_maxl le_maxr lexx /= le_maxr; apply/orP; right.
by rewrite ler_add2l ler_opp2 ler_wpmul2r.
Qed.

(* (C1) With P and Q exchanged. *)
Definition exchanged X := [seq (x.2, x.1) | x <- X].

Lemma profile_exchanged X lam : \sum_(x <- X) x.1 = 1 -> \sum_(x <- X) x.2 = 1 ->
  profile X lam 1 = lam - 1 + profile (exchanged X) 1 lam.
Proof.
move=> p1 q1; have -> : lam - 1 = \sum_(x <- X) (lam * x.1 - x.2) by rewrite sumrB -mulr_sumr p1 q1 mulr1.
rewrite /profile big_map -big_split; apply: eq_bigr => x _ /=; rewrite !mul1r.
case: (leP (lam * x.1) x.2) => h.
  by rewrite max_l ?subr_le0 // max_r ?subr_ge0 // addrC subrKA subrr.
by rewrite max_r ?subr_ge0 ?ltW // max_l ?addr0 // subr_le0 ltW.
Qed.

(* ---------- Products ---------- *)

(* Both rounds, independently. *)
Definition product X Y := [seq (x.1 * y.1, x.2 * y.2) | x <- X, y <- Y].

(* No round. *)
Definition nothing_seen : seq (R * R) := [:: (1, 1)].

(* (C3) One factor at a time; the other one. *)
Lemma profile_product X Y A B : profile (product X Y) A B = \sum_(x <- X) profile Y (A * x.1) (B * x.2).
Proof. by rewrite /profile big_allpairs_dep; apply: eq_bigr => x _; apply: eq_bigr => y _; rewrite /= !mulrA. Qed.

Lemma profile_productC X Y A B : profile (product X Y) A B = \sum_(y <- Y) profile X (A * y.1) (B * y.2).
Proof.
rewrite /profile big_allpairs_dep exchange_big /=; apply: eq_bigr => y _; apply: eq_bigr => x _.
by rewrite /= -!mulrA (mulrC x.1) (mulrC x.2).
Qed.

Lemma measures_product X Y : measures X -> measures Y -> measures (product X Y).
Proof.
move=> /allP mX /allP mY; apply/allP => z /allpairsP[[x y] /= [/mX/andP[x1 x2] /mY/andP[y1 y2] ->]] /=.
by rewrite !mulr_ge0.
Qed.

(* (C4) *)
Lemma dominated_product X X' Y Y' : measures X' -> measures Y ->
  dominated X X' -> dominated Y Y' -> dominated (product X Y) (product X' Y').
Proof.
move=> /allP mX /allP mY hX hY A B a b; apply: (@le_trans _ _ (profile (product X' Y) A B)).
  rewrite !profile_productC !big_seq; apply: ler_sum => y /mY/andP[y1 y2]; apply: hX; exact: mulr_ge0.
rewrite !profile_product !big_seq; apply: ler_sum => x /mX/andP[x1 x2]; apply: hY; exact: mulr_ge0.
Qed.

(* So many rounds of the same pair. *)
Definition power_of Y T := iter T (product Y) nothing_seen.

Lemma measures_power Y T : measures Y -> measures (power_of Y T).
Proof. by move=> mY; elim: T => [|T IH]; [rewrite /= !ler01 | exact: measures_product]. Qed.

(* A pair that gives away at least nothing: then more rounds of it give away at least as much. *)
Lemma dominated_power Y i j : measures Y -> dominated nothing_seen Y -> (i <= j)%N ->
  dominated (power_of Y i) (power_of Y j).
Proof.
move=> mY h /subnK <-; elim: (j - i)%N => [//|l IH] A B a b; apply: le_trans (IH A B a b) _.
have -> : profile (power_of Y (l + i)) A B = profile (product nothing_seen (power_of Y (l + i))) A B.
  by rewrite profile_product big_cons big_nil addr0 !mulr1.
by rewrite addSn; apply: dominated_product; rewrite ?measures_power.
Qed.

Lemma nothing_dominated X Y : \sum_(x <- X) x.1 = 1 -> \sum_(x <- X) x.2 = 1 -> dominated X Y -> dominated nothing_seen Y.
Proof.
move=> p1 q1 h A B a b; apply: le_trans (h A B a b); rewrite {1}/profile big_cons big_nil addr0 /= le_maxl profile_ge0.
by have := profile_above X A B; rewrite p1 q1.
Qed.

(* ---------- The laws of one count ---------- *)

Definition laws (ps qs : seq R) := [seq (law ps s, law qs s) | s <- iota 0 (size ps).+1].

Lemma profile_laws ps qs A B :
  profile (laws ps qs) A B = \sum_(s < (size ps).+1) Num.max 0 (A * law ps s - B * law qs s).
Proof. by rewrite /profile big_map -[iota _ _]/(index_iota 0 (size ps).+1) big_mkord. Qed.

Lemma profile_div ps qs lam : profile (laws ps qs) 1 lam = div lam ps qs.
Proof. by rewrite profile_laws; apply: eq_bigr => s _; rewrite mul1r. Qed.

Lemma exchanged_laws ps qs : size ps = size qs -> exchanged (laws ps qs) = laws qs ps.
Proof. by move=> e; rewrite /exchanged /laws -map_comp e. Qed.

Lemma measures_laws ps qs : probabilities ps -> probabilities qs -> measures (laws ps qs).
Proof. by move=> hp hq; apply/allP => x /mapP[s _ ->] /=; rewrite !law_ge0. Qed.

Lemma laws_sum ps qs : size ps = size qs ->
  \sum_(x <- laws ps qs) x.1 = 1 /\ \sum_(x <- laws ps qs) x.2 = 1.
Proof.
by move=> e; split; rewrite big_map -[iota _ _]/(index_iota 0 (size ps).+1) big_mkord law_sum // e.
Qed.

(* ---------- Strategies ---------- *)

(* (C4) Rounds in which the next pair lies below Y, whatever was seen. If [left] is at least how many of the rounds to
   come can tell the two apart, so many rounds of Y dominate every strategy. *)
Theorem adaptive total (left : seq nat -> nat) Y (d d' : seq nat -> seq R) E :
  measures Y -> dominated nothing_seen Y ->
  (forall seen, [/\ size (d seen) = size (d' seen), probabilities (d seen), probabilities (d' seen)
     & dominated (laws (d seen) (d' seen)) Y]) ->
  (forall seen s, (size seen < total)%N -> (left (rcons seen s) + (d seen != d' seen) <= left seen)%N) ->
  forall T seen A B, (size seen + T = total)%N -> 0 <= A -> 0 <= B ->
  A * Pr_rounds T d seen E - B * Pr_rounds T d' seen E <= profile (power_of Y (left seen)) A B.
Proof.
move=> mY above_nothing dom fewer; elim=> [|T IH] seen A B all_seen a b /=.
  apply: le_trans (@dominated_power Y 0 (left seen) mY above_nothing (leq0n _) A B a b).
  rewrite /profile big_cons big_nil addr0 /= !mulr1; case: (E seen); rewrite ?mulr1 ?mulr0 ?subr0 le_maxr ?lexx ?orbT //.
have [sz d01 d01' dY] := dom seen.
have more s : (left (rcons seen s) + (d seen != d' seen) <= left seen)%N.
  by apply: fewer; rewrite -all_seen addnS ltnS leq_addr.
have {}IH s : forall A B, 0 <= A -> 0 <= B ->
    A * Pr_rounds T d (rcons seen s) E - B * Pr_rounds T d' (rcons seen s) E <= profile (power_of Y (left seen - (d seen != d' seen))) A B.
  move=> A' B' a' b'; apply: le_trans (IH _ A' B' _ a' b') _; first by rewrite size_rcons addSnnS.
  by apply: dominated_power => //; rewrite -(leq_add2r (d seen != d' seen)) (leq_trans (more s)) // addnC -leq_subLR.
case: eqP IH more => [same|_] IH more.
  rewrite -same !big_distrr /= -sumrB.
  apply: (@le_trans _ _ (\sum_(s < (size (d seen)).+1) law (d seen) s * profile (power_of Y (left seen)) A B)).
    apply: ler_sum => s _; rewrite !mulrA ![_ * law _ _]mulrC -!mulrA -mulrBr ler_wpmul2l ?law_ge0 //.
    by have := IH s A B a b; rewrite subn0.
  by rewrite -mulr_suml law_sum // mul1r.
apply: (@le_trans _ _ (profile (product (laws (d seen) (d' seen)) (power_of Y (left seen).-1)) A B)).
  rewrite profile_product big_map -[iota _ _]/(index_iota 0 (size (d seen)).+1) big_mkord -sz !big_distrr /= -sumrB.
  by apply: ler_sum => s _; rewrite !mulrA -subn1; apply: IH; rewrite mulr_ge0 // law_ge0.
have -> : left seen = (left seen).-1.+1 by rewrite prednK // (leq_trans _ (more 0%N)) // addn1.
rewrite [(_.+1).-1]/= !profile_productC !big_seq; apply: ler_sum => y /(allP (measures_power _ mY))/andP[y1 y2].
by apply: dY; exact: mulr_ge0.
Qed.

End Pairs.

(* ---------- From the definition ---------- *)

Section Rounds.
Variable R : realFieldType.
Variables (n k : nat) (q : R).
Hypothesis q01 : 0 <= q <= 1.

Lemma reports_probabilities (d : seq bool) : probabilities (reports k q d).
Proof.
rewrite /probabilities (perm_all _ (reports_perm k q d)).
by have := changed_probabilities k q01 false (count id d) (count negb d); rewrite /probabilities all_cat => /andP[_].
Qed.

Lemma size_neighbours d d' : neighbours d d' -> size (reports k q d) = size (reports k q d').
Proof.
move=> [u [v [b [b' [-> ->]]]]].
by rewrite (perm_size (record_perm k q u b v)) (perm_size (record_perm k q u b' v)) !size_changed.
Qed.

(* Y dominates one round: the two laws of the count, for every dataset and every neighbour. *)
Definition dominates_round (Y : seq (R * R)) : Prop :=
  forall d d', size d = n -> neighbours d d' -> dominated (laws (reports k q d) (reports k q d')) Y.

(* For the pairs of all strategies: single bits, ... *)
Lemma next_round Y (d d' : seq bool) : dominates_round Y -> size d = n -> neighbours d d' ->
  [/\ size (reports k q d) = size (reports k q d'), probabilities (reports k q d), probabilities (reports k q d')
    & dominated (laws (reports k q d) (reports k q d')) Y].
Proof. by move=> dom sd nb; split; rewrite ?reports_probabilities //; [exact: size_neighbours | exact: dom]. Qed.

Lemma above_nothing Y (d d' : seq bool) : dominates_round Y -> size d = n -> neighbours d d' -> dominated (nothing_seen R) Y.
Proof.
move=> dom sd [u [v [b [_ [e _]]]]]; have nb : neighbours d d by exists u, v, b, b.
have [p1 q1] := laws_sum (erefl (size (reports k q d))); exact: nothing_dominated p1 q1 (dom d d sd nb).
Qed.

Theorem rounds_sound T lam delta Y : measures Y -> 0 <= lam -> dominates_round Y ->
  profile (power_of Y T) 1 lam <= delta -> DP_rounds T n k q lam delta.
Proof.
move=> mY l0 dom hd d d' strategy E; rewrite -ler_subl_addl; apply: le_trans hd; rewrite -[X in X - _]mul1r.
have [sd nb] := strategy [::]; pose left (seen : seq nat) := (T - size seen)%N.
have next seen := let: conj sd' nb' := strategy seen in next_round dom sd' nb'.
have fewer seen (s : nat) : (size seen < T)%N ->
    (left (rcons seen s) + (reports k q (d seen) != reports k q (d' seen)) <= left seen)%N.
  by move=> more; rewrite /left size_rcons subnS -{2}[(T - _)%N]prednK ?subn_gt0 // -addn1 leq_add2l leq_b1.
by have := adaptive E mY (above_nothing dom sd nb) next fewer (add0n T : size ([::] : seq nat) + T = T)%N ler01 l0; rewrite /left subn0.
Qed.

(* ... and histograms, of which only some counts change. *)
Lemma category_neighbours categories most i (d d' : seq (seq bool)) : close_neighbours categories most d d' ->
  neighbours (category i d) (category i d') /\
  (count (fun j => category j d != category j d') (iota 0 categories) <= most)%N.
Proof.
move=> [u [v [b [b' [-> -> few]]]]]; split.
  by exists (category i u), (category i v), (nth false b i), (nth false b' i); rewrite /category !map_cat.
apply: leq_trans few; apply: sub_count => j /=; apply: contra => /eqP same.
by rewrite /category !map_cat /= same.
Qed.

Theorem histograms_sound T categories most lam delta Y : measures Y -> 0 <= lam -> dominates_round Y ->
  profile (power_of Y (T * most)) 1 lam <= delta -> DP_histograms predT T categories most n k q lam delta.
Proof.
move=> mY l0 dom hd d d' strategy E; rewrite -ler_subl_addl; apply: le_trans hd; rewrite -[X in X - _]mul1r.
pose before (seen : seq nat) := take (size seen - size seen %% categories)%N seen.
pose differ seen i := category i (d (before seen)) != category i (d' (before seen)).
pose release (seen : seq nat) := (size seen %/ categories)%N; pose turn (seen : seq nat) := (size seen %% categories)%N.
pose left seen := if (release seen < T)%N then
  ((T - (release seen).+1) * most + count (differ seen) (iota (turn seen) (categories - turn seen)))%N else 0%N.
have next seen : [/\ size (in_turn categories k q d seen) = size (in_turn categories k q d' seen),
    probabilities (in_turn categories k q d seen), probabilities (in_turn categories k q d' seen)
    & dominated (laws (in_turn categories k q d seen) (in_turn categories k q d' seen)) Y].
  have [sd /category_neighbours nb _] := strategy (before seen).
  by apply: next_round (nb _).1; rewrite // size_map.
have few seen : (count (differ seen) (iota 0 categories) <= most)%N.
  by have [_ /(category_neighbours 0%N)[]] := strategy (before seen).
have [sd /(category_neighbours 0%N)[nb _] _] := strategy [::].
have le_left : (left [::] <= T * most)%N.
  rewrite /left /release /turn /= div0n mod0n subn0; case: ltnP => // T0.
  by rewrite -{2}(subnK T0) addn1 mulSnr leq_add2l; exact: few.
have more : dominated (power_of Y (left [::])) (power_of Y (T * most)).
  by apply: dominated_power le_left => //; apply: above_nothing dom _ nb; rewrite size_map.
apply: le_trans (more _ _ ler01 l0).
have nothing : dominated (nothing_seen R) Y by apply: above_nothing dom _ nb; rewrite size_map.
apply: (adaptive (total := (T * categories)%N) (left := left) E mY nothing next _ (add0n _ : size ([::] : seq nat) + _ = _)%N ler01 l0).
move=> seen s lt_size; have c0 : (0 < categories)%N by case: (categories) lt_size => //; rewrite muln0.
have lt_release : (release seen < T)%N by rewrite /release ltn_divLR.
have lt_turn : (turn seen < categories)%N by rewrite /turn ltn_mod.
have changes : ((in_turn categories k q d seen != in_turn categories k q d' seen) <= differ seen (turn seen))%N.
  rewrite /differ; case: (category _ (d _) =P _) => [e|_]; last exact: leq_b1.
  by rewrite /in_turn -/(turn seen) -/(before seen) e eqxx.
have here : left seen = ((T - (release seen).+1) * most + (differ seen (turn seen) +
    count (differ seen) (iota (turn seen).+1 (categories - (turn seen).+1))))%N.
  by rewrite /left lt_release -(subnSK lt_turn) /=.
have e : size (rcons seen s) = (release seen * categories + (turn seen).+1)%N.
  by rewrite size_rcons addnS -divn_eq.
rewrite here; apply: (@leq_trans (left (rcons seen s) + differ seen (turn seen))); first by rewrite leq_add2l.
rewrite [X in (_ <= X)%N]addnCA [X in (_ <= X)%N]addnC leq_add2r.
move: lt_turn; rewrite leq_eqVlt => /orP[/eqP last|later].
  have r' : release (rcons seen s) = (release seen).+1 by rewrite /release e last -mulSnr mulnK.
  have t' : turn (rcons seen s) = 0%N by rewrite /turn e last -mulSnr modnMl.
  rewrite /left r' t' subn0; case: ltnP => // lt_T; rewrite last subnn addn0.
  by rewrite -(subnSK lt_T) mulSnr leq_add2l; exact: few.
have r' : release (rcons seen s) = release seen by rewrite /release e divnMDl // divn_small // addn0.
have t' : turn (rcons seen s) = (turn seen).+1 by rewrite /turn e modnMDl modn_small.
have b' : before (rcons seen s) = before seen.
  by rewrite /before -/(turn (rcons seen s)) -/(turn seen) t' size_rcons subSS -cats1 takel_cat // leq_subr.
by rewrite /left r' t' lt_release leq_add2l /differ b'.
Qed.

End Rounds.
