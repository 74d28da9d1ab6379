(* From the definition to one inequality for each number of ones. Numbers in brackets are those of the proof notes.

   A line [Lemma name : statement.] says what is proven; what stands from [Proof.] to [Qed.] is for the machine. *)
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---------- The law of one count ---------- *)

Section Law.
Variable R : realFieldType.
Implicit Types (a lam delta : R) (ps qs rs : seq R) (s : nat) (E : pred nat).

Definition probabilities ps := all (fun a => 0 <= a <= 1) ps.

(* The probability of s ones. *)
Definition law ps s : R := Pr ps (pred1 s).

Lemma Pr_nil E : Pr (R := R) [::] E = (E 0%N)%:R.
Proof.
rewrite /Pr /= big_mkcond /= (big_pred1 [tuple]) => [|t]; last by apply/esym/eqP; exact: tuple0.
by rewrite big_ord0; case: (E 0%N).
Qed.

(* One report is 0, or it is 1. *)
Lemma Pr_cons a ps E : Pr (a :: ps) E = (1 - a) * Pr ps E + a * Pr ps (fun s => E s.+1).
Proof.
rewrite /Pr /=.
rewrite (reindex (fun p : bool * (size ps).-tuple bool => [tuple of p.1 :: p.2])) /=; last first.
  exists (fun t => (thead t, [tuple of behead t])).
    by move=> [b t] _; congr pair; apply: val_inj.
  by move=> t _; rewrite /= -tuple_eta.
rewrite -(pair_big_dep xpredT (fun (b : bool) (t : (size ps).-tuple bool) => E (b + count id t)%N)
   (fun b (t : (size ps).-tuple bool) => \prod_(i < (size ps).+1) bit (nth 0 (a :: ps) i) (tnth [tuple of b :: t] i))) /=.
rewrite big_bool /= addrC !big_distrr /=.
congr (_ + _); apply: eq_bigr => t _; rewrite big_ord_recl /=; congr (_ * _); apply: eq_bigr => i _;
  by rewrite tnthS.
Qed.

(* The value at s - 1, and 0 at s = 0. *)
Definition before (f : nat -> R) s : R := if s is s'.+1 then f s' else 0.

Lemma law_cons a ps s : law (a :: ps) s = (1 - a) * law ps s + a * before (law ps) s.
Proof.
rewrite /law Pr_cons; congr (_ + _ * _).
by case: s => [|s]; rewrite // /Pr big_pred0.
Qed.

Lemma law_nil s : law [::] s = (s == 0%N)%:R.
Proof. by rewrite /law Pr_nil /= eq_sym. Qed.

Lemma law_big ps s : (size ps < s)%N -> law ps s = 0.
Proof.
elim: ps s => [|a ps IH] [|s] //= h; first by rewrite law_nil.
by rewrite law_cons /= !IH // ?mulr0 ?addr0 // ltnW.
Qed.

Lemma Pr_law ps E : Pr ps E = \sum_(s < (size ps).+1 | E s) law ps s.
Proof.
rewrite /Pr (partition_big (fun t : (size ps).-tuple bool => inord (count id t) : 'I_(size ps).+1)
  (fun s : 'I_(size ps).+1 => E s)) /=.
  apply: eq_bigr => s Es; apply: eq_bigl => t /=.
  have h : (count id t < (size ps).+1)%N by rewrite ltnS -[X in (_ <= X)%N](size_tuple t) count_size.
  apply/andP/eqP => [[_ /eqP <-]|e]; first by rewrite inordK.
  by split; [rewrite e | apply/eqP/val_inj; rewrite /= inordK].
move=> t Et; rewrite inordK // ltnS -[X in (_ <= X)%N](size_tuple t); exact: count_size.
Qed.

Lemma Pr_ge0 ps E : probabilities ps -> 0 <= Pr ps E.
Proof.
move=> /all_nthP h; rewrite /Pr sumr_ge0 // => t _; apply: prodr_ge0 => i _.
by have /andP[a0 a1] := h 0 i (ltn_ord i); rewrite /bit; case: ifP; rewrite // subr_ge0.
Qed.

Lemma law_ge0 ps s : probabilities ps -> 0 <= law ps s.
Proof. exact: Pr_ge0. Qed.

(* All probabilities together are 1. *)
Lemma law_sum ps M : (size ps < M)%N -> \sum_(s < M) law ps s = 1.
Proof.
elim: ps M => [|a ps IH] [|M] //= h.
  by rewrite big_ord_recl law_nil big1 ?addr0 // => s _; rewrite law_nil.
rewrite (eq_bigr (fun s : 'I_M.+1 => (1 - a) * law ps s + a * before (law ps) s)) => [|s _]; last exact: law_cons.
rewrite big_split -!big_distrr /= IH; last exact: ltnW.
by rewrite big_ord_recl /= add0r IH // !mulr1 subrK.
Qed.

(* The generating polynomial: the order of reports does not matter. *)
Definition generating ps : {poly R} := \prod_(a <- ps) ((1 - a)%:P + a *: 'X).

Lemma law_generating ps s : law ps s = (generating ps)`_s.
Proof.
elim: ps s => [|a ps IH] s; first by rewrite law_nil /generating big_nil coef1.
rewrite law_cons /generating big_cons -/(generating ps) [in RHS]mulrDl coefD coefCM -IH -scalerAl coefZ coefXM.
by case: s => [|s] /=; rewrite ?IH.
Qed.

Lemma law_perm ps qs s : perm_eq ps qs -> law ps s = law qs s.
Proof. by move=> h; rewrite !law_generating /generating (perm_big _ h). Qed.

(* ---------- Divergence ---------- *)

(* The sum of [P - lam Q]_+ over all counts. *)
Definition div lam ps qs : R := \sum_(s < (size ps).+1) Num.max 0 (law ps s - lam * law qs s).

(* The inequality for all events is one inequality for this sum. *)
Theorem hockey_stick lam delta ps qs : size ps = size qs ->
  (forall E, Pr ps E <= lam * Pr qs E + delta) <-> div lam ps qs <= delta.
Proof.
move=> e; split=> [h|h E].
  have := h (fun s => 0 < law ps s - lam * law qs s); rewrite -ler_subl_addl !Pr_law -e big_distrr /= -sumrB => {}h.
  apply: le_trans h; rewrite /div [X in _ <= X]big_mkcond /=; apply: ler_sum => s _.
  by case: ltrP.
rewrite -ler_subl_addl !Pr_law -e big_distrr /= -sumrB; apply: le_trans h.
rewrite big_mkcond ler_sum // => s _; case: ifP => _; rewrite le_maxr lexx ?orbT //.
Qed.

Lemma div_ge0 lam ps qs : 0 <= div lam ps qs.
Proof. by apply: sumr_ge0 => s _; rewrite le_maxr lexx. Qed.

Lemma div_perm lam ps qs ps' qs' : perm_eq ps ps' -> perm_eq qs qs' -> div lam ps qs = div lam ps' qs'.
Proof.
move=> h h'; rewrite /div (perm_size h); apply: eq_bigr => s _.
by rewrite (law_perm _ h) (law_perm _ h').
Qed.

Lemma div_size lam ps qs M : size ps = size qs -> (size ps < M)%N ->
  div lam ps qs = \sum_(s < M) Num.max 0 (law ps s - lam * law qs s).
Proof.
move=> e h; rewrite /div (big_ord_widen M (fun s => Num.max 0 (law ps s - lam * law qs s))) //.
rewrite big_mkcond /=; apply: eq_bigr => s _; case: ifP => // /negbT; rewrite -leqNgt => hs.
by rewrite !law_big -?e // mulr0 subr0 maxxx.
Qed.

(* It falls in lam. *)
Lemma div_falls lam lam' ps qs : probabilities qs -> lam <= lam' -> div lam' ps qs <= div lam ps qs.
Proof.
move=> hq h; apply: ler_sum => s _; rewrite le_maxl le_maxr lexx /= le_maxr; apply/orP; right.
by rewrite ler_add2l ler_opp2 ler_wpmul2r // law_ge0.
Qed.

(* ---------- Post-processing ---------- *)

(* One report more, of the same parameter on both sides. *)
Lemma div_cons lam a ps qs : 0 <= a <= 1 -> size ps = size qs -> div lam (a :: ps) (a :: qs) <= div lam ps qs.
Proof.
move=> /andP[a0 a1] e.
set f := fun s => Num.max 0 (law ps s - lam * law qs s).
have -> : div lam ps qs = (1 - a) * (\sum_(s < (size ps).+2) f s) + a * \sum_(s < (size ps).+1) f s.
  by rewrite -!div_size // -mulrDl subrK mul1r.
have -> : \sum_(s < (size ps).+1) f s = \sum_(s < (size ps).+2) before f s.
  by rewrite [RHS]big_ord_recl /= add0r.
rewrite !big_distrr -big_split /=; apply: ler_sum => s _.
have f0 i : 0 <= f i by rewrite /f le_maxr lexx.
rewrite le_maxl !law_cons; apply/andP; split.
  by rewrite addr_ge0 // mulr_ge0 ?subr_ge0 //; case: (s : nat) => /=.
rewrite mulrDr opprD addrACA; apply: ler_add.
  rewrite mulrCA -mulrBr ler_wpmul2l ?subr_ge0 //; by rewrite /f le_maxr lexx orbT.
rewrite mulrCA -mulrBr ler_wpmul2l //; case: (s : nat) => [|s'] /=; first by rewrite mulr0 subr0.
by rewrite /f le_maxr lexx orbT.
Qed.

(* (2.3) A larger pool hides more. *)
Theorem post_processing lam rs ps qs : probabilities rs -> size ps = size qs ->
  div lam (rs ++ ps) (rs ++ qs) <= div lam ps qs.
Proof.
elim: rs => [|a rs IH] //= /andP[ha hrs] e.
by apply: le_trans (IH hrs e); apply: div_cons; rewrite // !size_cat e.
Qed.

(* Every report turned round. *)
Lemma law_flip ps s : (s <= size ps)%N -> law [seq 1 - a | a <- ps] s = law ps (size ps - s).
Proof.
elim: ps s => [|a ps IH] [|s] //= h; have c : 1 - (1 - a) = a by rewrite opprB addrC subrK.
  by rewrite subn0 !law_cons c /= IH // subn0 (law_big (ltnSn _)) !mulr0 add0r addr0.
rewrite !law_cons c subSS addrC /=; congr (_ * _ + _ * _); first by rewrite IH.
case: (ltnP s (size ps)) => hs; first by rewrite IH // -(subnSK hs).
by have /eqP-> : (size ps - s == 0)%N; rewrite ?subn_eq0 // law_big ?size_map.
Qed.

Lemma div_flip lam ps qs : size ps = size qs ->
  div lam [seq 1 - a | a <- ps] [seq 1 - a | a <- qs] = div lam ps qs.
Proof.
move=> e; rewrite /div size_map [RHS](reindex_inj rev_ord_inj) /=; apply: eq_bigr => s _.
by rewrite !law_flip -?e // ?subSS // -ltnS.
Qed.

End Law.

(* ---------- Datasets ---------- *)

Section Datasets.
Variable R : realFieldType.
Variables (k : nat) (q lam : R).
Hypothesis q01 : 0 <= q <= 1.

(* The reports of m ones and z zeros; the same with the changed record in front. *)
Definition pool m z : seq R := nseq (k * m) (1 - q) ++ nseq (k * z) q.
Definition changed (b : bool) m z : seq R := nseq k (if b then 1 - q else q) ++ pool m z.

(* delta_m of the proof notes: the changed record is 0 on the left, 1 on the right; m others hold 1, z others 0. *)
Definition delta_of m z : R := div lam (changed false m z) (changed true m z).

Lemma size_changed b m z : size (changed b m z) = (k + (k * m + k * z))%N.
Proof. by rewrite !size_cat !size_nseq. Qed.

Lemma p01 : 0 <= 1 - q <= 1.
Proof. by case/andP: q01 => q0 q1; rewrite subr_ge0 q1 ler_subl_addl ler_addr q0. Qed.

Lemma changed_probabilities b m z : probabilities (changed b m z).
Proof. by rewrite /probabilities !all_cat !all_nseq; case: b; rewrite p01 q01 !orbT. Qed.

(* Only the number of ones counts. *)
Lemma reports_perm d : perm_eq (reports k q d) (pool (count id d) (count negb d)).
Proof.
apply/permP => p; rewrite count_cat !count_nseq.
elim: d => [|b d IH]; first by rewrite !muln0.
rewrite /reports /= count_cat count_nseq -/(reports k q d) IH.
by case: b; rewrite /= add0n add1n mulnS mulnDr; [rewrite addnA | rewrite addnCA].
Qed.

Lemma record_perm u b v :
  perm_eq (reports k q (u ++ b :: v)) (changed b (count id (u ++ v)) (count negb (u ++ v))).
Proof.
apply: (@perm_trans _ (reports k q (b :: (u ++ v)))); last first.
  by rewrite /reports /changed /= perm_cat2l; exact: reports_perm.
by apply: perm_flatten; apply: perm_map; rewrite -cat1s perm_catCA.
Qed.

(* (1.5) The other direction is that of the mirrored dataset. *)
Theorem mirror m z : div lam (changed true m z) (changed false m z) = delta_of z m.
Proof.
have c : 1 - (1 - q) = q by rewrite opprB addrC subrK.
rewrite -div_flip ?size_changed //; apply: div_perm; apply/permP => p;
  by rewrite !map_cat !map_nseq /= c !count_cat !count_nseq; congr addn; rewrite addnC.
Qed.

(* (2.3) A range of datasets is bounded by what all of them have in common. *)
Theorem range lo m hi N : (lo <= m <= hi)%N -> (hi <= N)%N -> delta_of m (N - m) <= delta_of lo (N - hi).
Proof.
move=> /andP[lm mh] hN.
pose rest := nseq (k * (m - lo)) (1 - q) ++ nseq (k * (hi - m)) q.
have rp b : perm_eq (changed b m (N - m)) (rest ++ changed b lo (N - hi)).
  apply/permP => p; rewrite !count_cat !count_nseq.
  have -> : (k * m = k * (m - lo) + k * lo)%N by rewrite -mulnDr subnK.
  have -> : (k * (N - m) = k * (hi - m) + k * (N - hi))%N by rewrite -mulnDr addnC addnBA // subnK.
  rewrite !mulnDr -!addnA addnCA; congr addn; rewrite [RHS]addnCA; congr addn.
  by rewrite addnCA.
rewrite /delta_of (div_perm _ (rp false) (rp true)); apply: post_processing; last by rewrite !size_changed.
by rewrite /probabilities all_cat !all_nseq /= p01 q01 !orbT.
Qed.

(* (1.5) Privacy is one inequality for each number of ones among the others: all datasets, both directions. *)
Theorem DP_pools n delta : (0 < n)%N -> 1 <= lam ->
  DP n k q lam delta <-> (forall m, (m < n)%N -> delta_of m (n.-1 - m) <= delta).
Proof.
case: n => // N _ lam1 /=; split=> [dp m|h d d' sd [u [v [b [b' [ed ed']]]]]].
  rewrite ltnS => mN; pose v := nseq m true ++ nseq (N - m) false.
  have := dp (false :: v) (true :: v); rewrite /= size_cat !size_nseq subnKC // => /(_ erefl) h.
  have /h{}h : neighbours (false :: v) (true :: v) by exists [::], v, false, true.
  have cv : (count id v = m)%N /\ (count negb v = N - m)%N.
    by rewrite !count_cat !count_nseq /= !mul1n !mul0n addn0.
  have := record_perm [::] ^~ v; rewrite /= cv.1 cv.2 => rp.
  rewrite /delta_of -(div_perm _ (rp false) (rp true)).
  by apply/hockey_stick; rewrite // (perm_size (rp false)) (perm_size (rp true)) !size_changed.
pose m := count id (u ++ v); pose z := count negb (u ++ v).
have mz : (m + z = N)%N.
  move: sd; rewrite ed size_cat /= addnS -size_cat => -[<-]; exact: count_predC.
have rp b0 : perm_eq (reports k q (u ++ b0 :: v)) (changed b0 m z) by exact: record_perm.
have d0 : 0 <= delta by apply: le_trans (h 0%N isT); exact: div_ge0.
have same b0 : div lam (changed b0 m z) (changed b0 m z) <= delta.
  rewrite /div big1 // => s _; apply: max_l.
  rewrite -{1}[law _ _]mul1r -mulrBl mulr_le0_ge0 ?subr_le0 //; apply: law_ge0; exact: changed_probabilities.
apply/hockey_stick; first by rewrite ed ed' !(perm_size (rp _)) !size_changed.
rewrite {}ed {}ed' (div_perm _ (rp _) (rp _)); case: b b' => [] [] //.
  by rewrite mirror -[m](addnK z) mz; apply: h; rewrite ltnS -mz leq_addl.
by rewrite -/(delta_of m z) -[z](addKn m) mz; apply: h; rewrite ltnS -mz leq_addr.
Qed.

End Datasets.
