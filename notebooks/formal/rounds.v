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

(* (C4) What dominates every round dominates every strategy: whatever was seen, the next pair lies below Y. *)
Theorem adaptive T Y (d d' : seq nat -> seq R) E : measures Y ->
  (forall seen, [/\ size (d seen) = size (d' seen), probabilities (d seen), probabilities (d' seen)
     & dominated (laws (d seen) (d' seen)) Y]) ->
  forall seen A B, 0 <= A -> 0 <= B ->
  A * Pr_rounds T d seen E - B * Pr_rounds T d' seen E <= profile (power_of Y T) A B.
Proof.
move=> mY dom; elim: T => [|T IH] seen A B a b /=.
  rewrite /profile big_cons big_nil addr0 /= !mulr1; case: (E seen); rewrite ?mulr1 ?mulr0 ?subr0 le_maxr ?lexx ?orbT //.
have [sz d01 d01' dY] := dom seen.
apply: (@le_trans _ _ (profile (product (laws (d seen) (d' seen)) (power_of Y T)) A B)).
  rewrite profile_product big_map -[iota _ _]/(index_iota 0 (size (d seen)).+1) big_mkord -sz !big_distrr /= -sumrB.
  apply: ler_sum => s _; rewrite !mulrA; apply: IH; apply: mulr_ge0 => //; exact: Pr_ge0.
rewrite !profile_productC !big_seq; apply: ler_sum => y /(allP (measures_power T mY))/andP[y1 y2].
by apply: dY; exact: mulr_ge0.
Qed.

End Pairs.

(* ---------- From the definition ---------- *)

Section Rounds.
Variable R : realFieldType.
Variables (n k : nat) (q : R).
Hypothesis q01 : 0 <= q <= 1.

Lemma reports_probabilities d : probabilities (reports k q d).
Proof.
rewrite /probabilities (perm_all _ (reports_perm k q d)).
by have := changed_probabilities k q01 false (count id d) (count negb d); rewrite /probabilities all_cat => /andP[_].
Qed.

Lemma size_neighbours d d' : neighbours d d' -> size (reports k q d) = size (reports k q d').
Proof.
move=> [u [v [b [b' [-> ->]]]]].
by rewrite (perm_size (record_perm k q u b v)) (perm_size (record_perm k q u b' v)) !size_changed.
Qed.

Lemma Pr_rounds_ge0 T (d : seq nat -> seq bool) seen E : 0 <= Pr_rounds T (fun seen => reports k q (d seen)) seen E.
Proof.
elim: T seen => [|T IH] seen /=; first exact: ler0n.
by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?IH // Pr_ge0 // reports_probabilities.
Qed.

(* Y dominates one round: the two laws of the count, for every dataset and every neighbour. *)
Definition dominates_round (Y : seq (R * R)) : Prop :=
  forall d d', size d = n -> neighbours d d' -> dominated (laws (reports k q d) (reports k q d')) Y.

Theorem rounds_sound T lam delta Y : measures Y -> 0 <= lam -> dominates_round Y ->
  profile (power_of Y T) 1 lam <= delta -> DP_rounds T n k q lam delta.
Proof.
move=> mY l0 dom hd d d' strategy E; rewrite -ler_subl_addl; apply: le_trans hd.
rewrite -[X in X - _]mul1r; apply: adaptive; rewrite ?ler01 // => seen.
have [sd nb] := strategy seen; split; rewrite ?reports_probabilities //; last exact: dom.
exact: size_neighbours.
Qed.

End Rounds.
