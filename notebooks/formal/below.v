(* The other end of rounds: one dataset, the same in every round, needs at least so much delta.

   The outcomes of one count are cut into parts, which are put together to outcomes whose losses are multiples of log g.
   What can be made of a pair in this way gives away no more than it. Rounds of such outcomes are a recursion on rows of
   whole numbers, as in lattice.v, but rounded down. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory whole check lower rounds fixed grid.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* Where to look. The dataset has [named] ones among the others. Of every outcome of its count, in turn, shares in units of
   2^-cut go to the losses from the [nat]-th on. The pair that they make has at least the P masses [made] for the losses
   -deepest, ..., and ratios up to [highest]. lambda is at most g^level; rows of numbers begin [before] steps above that
   and end [after] steps below 1. Nothing of this need be believed. *)
Record minorant := Minorant {
  along : grid; named : nat; counted : precision; cut : N; shares : seq (nat * seq N); made : seq N; deepest : nat;
  highest : N; level : nat; before : nat; after : nat }.
Coercion along : minorant >-> grid.

Open Scope N_scope.

(* The masses under P at least, and under Q at most. *)
Definition masses_low (c : setting) (x : state) : seq N :=
  let: (a, D) := flip c in convolve (of_zero (times c) a (D - a)) (masses x).
Definition masses_high (c : setting) (x : state) : seq N :=
  let: (a, D) := flip c in
  let one := of_one (times c) a (D - a) in map (N.add (total one * error x)) (convolve one (masses x)).

(* The parts put together. *)
Fixpoint gathered (P Q : seq N) (parts : seq (nat * seq N)) : seq N * seq N :=
  match P, Q, parts with
  | p :: P', q :: Q', (first, part) :: parts' =>
      let: (A, B) := gathered P' Q' parts' in
      (add (ncons first 0 (map (N.mul p) part)) A, add (ncons first 0 (map (N.mul q) part)) B)
  | _, _, _ => ([::], [::])
  end.

Section Computed.
Variable w : minorant.
Let one : N := unit_of (fine w).

(* They have at least the P masses that are claimed, and at most the Q masses that these have on the grid. Also the
   ratio of the first of them, rounded up. *)
Fixpoint on_the_grid (most least : N) (ys A B : seq N) : bool * N :=
  if ys is y :: ys' then
    let: (ok, x) := on_the_grid most least ys' (behead A) (behead B) in
    let z := up_a_step w x in
    (ok && (y * most <=? one * head 0 A) && (head 0 B * z <=? y * least), z)
  else (true, highest w).

Definition shown_by (c : setting) : bool :=
  let x := law_at c (counted w) (named w) in
  let: (A, B) := gathered (masses_low c x) (masses_high c x) (shares w) in
  let unit := unit_of (cut w) * power (flip c).2 (times c) in
  let beyond := (size (made w) - deepest w)%N in
  [&& sensible c, (named w < records c)%N, sensible_grid w, (deepest w <= size (made w))%N,
    all (fun part => total part.2 <=? unit_of (cut w)) (shares w),
    one * power (unit_of (scale w)) beyond <=? highest w * power (coarse w) beyond
    & (on_the_grid (unit * most x) (unit * least x) (made w) A B).1].

(* A row says how much is needed at least at lambda = g^i, g^(i-1), .... Of no rounds that is [1 - lambda]_+. *)
Fixpoint below_one_down (n : nat) (x : N) : seq N :=
  if n is n'.+1 then let y := up_a_step w x in one - y :: below_one_down n' y else [::].
Definition no_rounds_down : seq N := ncons (level w + before w).+1 0 (below_one_down (after w) one).

(* One round more. After the end of the row as much is needed as at its end. *)
Fixpoint slide_down (M : N) (i : nat) (row : seq N) : seq N :=
  if i is i'.+1 then down (fine w) (weigh M (made w) row) :: slide_down M i' (behead row) else [::].
Definition round_down (row : seq N) : seq N := slide_down (last 0 row) (size row) (ncons (deepest w) 0 row).

(* So much delta so many rounds need at least, at lambda = g^level. *)
Definition of_rounds_down (T : nat) : N := nth 0 (iter T round_down no_rounds_down) (before w).

Definition reached (c : setting) : bool :=
  shown_by c && at_most (lambda c) (iter (level w) (up_the_lattice w) (1, 1)).

(* At least delta, and more than delta. *)
Definition rounds_need_all (T : nat) (c : setting) (delta : ratio) : bool :=
  [&& reached c, proper delta & delta.1 * one <=? delta.2 * of_rounds_down T].
Definition rounds_need_more (T : nat) (c : setting) (delta : ratio) : bool :=
  [&& reached c, proper delta & delta.1 * one <? delta.2 * of_rounds_down T].

End Computed.

Close Scope N_scope.

(* ---------- Parts put together ---------- *)

Local Open Scope ring_scope.

Section Parts.
Variable R : realFieldType.
Notation whole := (whole R).

(* What two lists of masses give away. *)
Definition apart (a b : R) (P Q : seq N) i : R := Num.max 0 (a * whole (nth 0%num P i) - b * whole (nth 0%num Q i)).

Lemma apart_ge0 a b P Q i : 0 <= apart a b P Q i.
Proof. by rewrite /apart le_maxr lexx. Qed.

Lemma nth_add l r i : nth 0%num (add l r) i = (nth 0 l i + nth 0 r i)%num.
Proof. by elim: l r i => [|x l IH] [|y r] [|i] //=; rewrite ?nth_nil ?N.add_0_r. Qed.

Lemma total_ncons f l : total (ncons f 0%num l) = total l.
Proof. by elim: f => //= f ->. Qed.

Lemma apart_add a b l r A B i : apart a b (add l A) (add r B) i <= apart a b l r i + apart a b A B i.
Proof.
rewrite {1}/apart le_maxl addr_ge0 ?apart_ge0 //= !nth_add !wholeD !mulrDr opprD addrACA.
by apply: ler_add; rewrite le_maxr lexx orbT.
Qed.

Lemma apart_part a b p q f l M :
  \sum_(i < M) apart a b (ncons f 0%num (map (N.mul p) l)) (ncons f 0%num (map (N.mul q) l)) i <=
  whole (total l) * Num.max 0 (a * whole p - b * whole q).
Proof.
have e x i : nth 0%num (ncons f 0%num (map (N.mul x) l)) i = (x * nth 0 (ncons f 0 l) i)%num.
  by rewrite -[LHS]/(entry f (map (N.mul x) l) i) entry_map // N.mul_0_r.
rewrite -(total_ncons f) (eq_bigr (fun i : 'I_M => whole (nth 0%num (ncons f 0%num l) i) * Num.max 0 (a * whole p - b * whole q))).
  rewrite -mulr_suml; apply: ler_wpmul2r (total_ge R _ _); by rewrite le_maxr lexx.
move=> i _; rewrite /apart !e !wholeM (maxr_pmulr _ _ (whole_ge0 R _)) mulr0 mulrBr.
by rewrite [_ * (a * _)]mulrCA [_ * (b * _)]mulrCA ![whole (nth _ _ _) * _]mulrC.
Qed.

Lemma gathered_sound a b P Q parts (c : N) M : all (fun part => total part.2 <=? c)%num parts ->
  \sum_(i < M) apart a b (gathered P Q parts).1 (gathered P Q parts).2 i <=
  whole c * \sum_(i < minn (size P) (size Q)) apart a b P Q i.
Proof.
have nothing : \sum_(i < M) apart a b [::] [::] i = 0.
  by rewrite big1 // => i _; rewrite /apart nth_nil !mulr0 subrr maxxx.
have pos m P' Q' : 0 <= whole c * \sum_(i < m) apart a b P' Q' i.
  by rewrite mulr_ge0 ?whole_ge0 // sumr_ge0 // => i _; exact: apart_ge0.
elim: P Q parts => [|p P IH] [|q Q] [|[f part] parts] small; try by rewrite nothing; exact: pos.
case/andP: small => /= part_small rest; have := IH Q parts rest.
case: (gathered P Q parts) => A B /= {}IH.
apply: le_trans (ler_sum _ (fun (i : 'I_M) _ => apart_add a b _ _ A B i)) _.
rewrite big_split minnSS [\sum_(i < (minn _ _).+1) _]big_ord_recl mulrDr; apply: ler_add IH.
apply: le_trans (apart_part a b p q f part M) _.
by apply: ler_wpmul2r (whole_le R part_small); rewrite le_maxr lexx.
Qed.

End Parts.

(* ---------- They lie on the grid ---------- *)

Section OnTheGrid.
Variable R : realFieldType.
Variable w : minorant.
Hypothesis ok : sensible_grid w.
Notation whole := (whole R).
Notation value := (value R).

Let one : R := whole (unit_of (fine w)).
Let r : R := whole (coarse w) / whole (unit_of (scale w)).
Let one_gt0 : 0 < one := one_gt0 R w.
Let r_gt0 : 0 < r := r_gt0 R ok.

Lemma on_the_grid_sound (K : R) (most least : N) ys A B x a b : 0 <= a -> 0 <= b ->
  whole least <= K -> K <= whole most -> 0 < x -> one * (x / r ^+ size ys) <= whole (highest w) ->
  let z := on_the_grid w most least ys A B in
  one * x <= whole z.2 /\ (z.1 -> K * profile (outcomes w x ys) a b <= \sum_(i < size ys) apart a b A B i).
Proof.
move=> a0 b0 leK Kle; have r0 := r_gt0; have o1 := one_gt0.
elim: ys x A B => [|y ys IH] x A B x0 h /=.
  by split; [move: h; rewrite expr0 divr1 | rewrite /profile big_nil mulr0 big_ord0].
have x0' : 0 < x / r by rewrite divr_gt0.
have [] := IH (x / r) (behead A) (behead B) x0'.
  have e : x / r ^+ (size ys).+1 = x / r / r ^+ size ys by rewrite exprS invfM mulrA.
  by rewrite -e.
case: (on_the_grid w most least ys _ _) => fits z /= z_ok rest.
have up_ok : one * x <= whole (up_a_step w z).
  have -> : one * x = r * (one * (x / r)) by rewrite mulrCA [r * _]mulrC divfK // gt_eqF.
  by apply: le_trans (whole_up_a_step R w z); apply: ler_wpmul2l => //; exact: ltW.
split=> // /andP[/andP[/rest{}rest P_ok] Q_ok].
rewrite big_ord_recl /profile big_cons mulrDr; apply: ler_add; last first.
  apply: le_trans rest _; apply: ler_sum => i _; by rewrite /apart !nth_behead.
have K0 : 0 <= K by apply: le_trans leK; exact: whole_ge0.
rewrite /apart (maxr_pmulr _ _ K0) mulr0 le_maxl le_maxr lexx /= le_maxr; apply/orP; right.
rewrite mulrBr [K * (a * _)]mulrCA [K * (b * _)]mulrCA !nth0; apply: ler_sub; apply: ler_wpmul2l => //.
  rewrite mulrA ler_pdivr_mulr // mulrC; have := whole_le R P_ok; rewrite !wholeM => {}P_ok.
  rewrite [_ * one]mulrC; apply: le_trans P_ok; apply: ler_wpmul2l => //; exact: whole_ge0.
have := whole_le R Q_ok; rewrite !wholeM => {}Q_ok.
rewrite !mulrA !ler_pdivl_mulr //; apply: (@le_trans _ _ (whole y * whole least)); last first.
  by rewrite [K * _]mulrC; apply: ler_wpmul2l => //; exact: whole_ge0.
apply: le_trans Q_ok; rewrite -mulrA [x * one]mulrC; apply: ler_wpmul2l => //; exact: whole_ge0.
Qed.

(* ---------- The dataset's own pair gives away no less ---------- *)

Lemma entry_first f l i : entry f l (f + i) = nth 0%num l i.
Proof. by rewrite /entry nth_ncons ltnNge leq_addr /= addKn. Qed.

Lemma profile_laws_wide (ps qs : seq R) a b M : size ps = size qs -> (size ps < M)%N ->
  profile (laws ps qs) a b = \sum_(s < M) Num.max 0 (a * law ps s - b * law qs s).
Proof.
move=> e h; rewrite profile_laws (big_ord_widen M (fun s => Num.max 0 (a * law ps s - b * law qs s))) //.
rewrite big_mkcond /=; apply: eq_bigr => s _; case: ifP => // /negbT; rewrite -leqNgt => hs.
by rewrite !law_big -?e // !mulr0 subr0 maxxx.
Qed.

Section Counted.
Variables (c : setting) (x : state) (ps : seq R) (U : R).
Hypothesis sound : sensible c.
Hypotheses (prob : probabilities ps) (U0 : 0 < U).
Hypothesis low : forall s, whole (entry (first x) (masses x) s) <= U * law ps s.
Hypothesis high : forall s, U * law ps s <= whole (entry (first x) (masses x) s) + whole (error x).

Let k := times c.
Let q : R := value (flip c).
Let C : R := whole (power (flip c).2 k) * U.

Lemma convolved_law (a b : N) (t : R) s : (a + b = (flip c).2)%num ->
  t * whole (a + b) = whole a -> (1 - t) * whole (a + b) = whole b ->
  let l := whole (nth 0%num (convolve (iter k (steps a b 0) [:: 1%num]) (masses x)) s) in
  l <= C * law (nseq k t ++ ps) (first x + s) <= l + whole (total (iter k (steps a b 0) [:: 1%num]) * error x).
Proof.
move=> e ha hb; rewrite /= -(entry_first (first x)).
have := @convolved R ps x U (iter k (steps a b 0) [:: 1%num]) (first x + s) prob low high.
rewrite /=; set S := \sum_(i < _) _; have -> : C * law (nseq k t ++ ps) (first x + s) = S => //.
rewrite law_cat big_distrr; apply: eq_bigr => i _ /=.
by rewrite (law_exact k i ha hb) /C whole_power e mulrACA.
Qed.

Lemma counted_sound m z a b : ps = pool k q m z -> 0 <= a -> 0 <= b ->
  \sum_(i < minn (size (masses_low c x)) (size (masses_high c x))) apart a b (masses_low c x) (masses_high c x) i <=
  C * profile (named_pair k q m z) a b.
Proof.
move=> eps a0 b0; have C0 : 0 <= C by rewrite mulr_ge0 ?whole_ge0 // ltW.
have lows i : whole (nth 0%num (masses_low c x) i) <= C * law (nseq k q ++ ps) (first x + i).
  case/and5P: sound => _ D0 aD _ _; rewrite /masses_low; move: convolved_law D0 aD; rewrite /q /k.
  case: (flip c) => A D /= conv D0 aD; have aD' : (A <=? D)%num by move: aD; rewrite /at_most N.mul_1_r N.mul_1_l.
  have s := sum_is aD'; have a_zero : frac R A D * whole (A + (D - A)) = whole A by rewrite s; exact: q_whole.
  have b_zero : (1 - frac R A D) * whole (A + (D - A)) = whole (D - A) by rewrite s; exact: p_whole.
  by case/andP: (conv _ _ _ i s a_zero b_zero).
have highs i : (i < size (masses_high c x))%N -> C * law (nseq k (1 - q) ++ ps) (first x + i) <= whole (nth 0%num (masses_high c x) i).
  case/and5P: sound => _ D0 aD _ _; rewrite /masses_high; move: convolved_law D0 aD; rewrite /q /k.
  case: (flip c) => A D /= conv D0 aD; have aD' : (A <=? D)%num by move: aD; rewrite /at_most N.mul_1_r N.mul_1_l.
  rewrite size_map => il; rewrite (nth_map 0%num) // wholeD [X in _ <= X]addrC.
  have cq : 1 - (1 - frac R A D) = frac R A D by rewrite opprB addrC subrK.
  have s' : (D - A + A = D)%num by rewrite N.add_comm; exact: sum_is.
  have a_one : (1 - frac R A D) * whole (D - A + A) = whole (D - A) by rewrite s'; exact: p_whole.
  have b_one : (1 - (1 - frac R A D)) * whole (D - A + A) = whole A by rewrite s' cq; exact: q_whole.
  by case/andP: (conv _ _ _ i s' a_one b_one).
set M := minn _ _; pose g s := Num.max 0 (a * law (nseq k q ++ ps) s - b * law (nseq k (1 - q) ++ ps) s).
have gE s : g s = Num.max 0 (a * law (changed k q false m z) s - b * law (changed k q true m z) s) by rewrite /g eps.
have -> : profile (named_pair k q m z) a b = \sum_(s < first x + M + (k + size ps).+1) g s.
  rewrite /named_pair (@profile_laws_wide _ _ _ _ (first x + M + (k + size ps).+1)) ?size_changed //.
    by apply: eq_bigr => s _; rewrite gE.
  by rewrite eps size_cat !size_nseq ltn_addl // addnA.
rewrite -addnA big_split_ord /= mulrDr big_split_ord /= mulrDr.
have pos s : 0 <= g s by rewrite /g le_maxr lexx.
have nonneg (l : nat) (f : nat -> nat) : 0 <= C * \sum_(i < l) g (f i) by rewrite mulr_ge0 // sumr_ge0 // => i _; exact: pos.
apply: (@le_trans _ _ (C * \sum_(i < M) g (first x + i)%N)); last first.
  by rewrite addrCA ler_addl addr_ge0 ?(nonneg _ id) ?(nonneg _ (fun i => first x + (M + i))%N).
rewrite mulr_sumr; apply: ler_sum => i _; rewrite /apart /g (maxr_pmulr _ _ C0) mulr0 le_maxl le_maxr lexx /= le_maxr.
apply/orP; right; rewrite mulrBr [C * (a * _)]mulrCA [C * (b * _)]mulrCA.
by apply: ler_sub; apply: ler_wpmul2l => //; apply: highs; apply: leq_trans (ltn_ord i) _; exact: geq_minr.
Qed.

End Counted.

(* So the pair that is made gives away no more than the dataset's. *)
Definition made_pair : seq (R * R) := outcomes w (r ^+ deepest w) (made w).

Lemma measures_made : measures made_pair.
Proof. by apply: measures_outcomes; rewrite // exprn_gt0 // r_gt0. Qed.

Theorem made_is_dominated c : shown_by w c ->
  dominated made_pair (named_pair (times c) (value (flip c)) (named w) ((records c).-1 - named w)).
Proof.
rewrite /shown_by; set x := law_at _ _ _; case e: (gathered _ _ _) => [A B].
case/and5P => sound in_range _ deep /and3P[small high fits] a b a0 b0.
have [prob _ U leU Ule U0 low high'] := law_at_encloses R (counted w) (named w) sound.
have := counted_sound sound prob U0 low high' erefl a0 b0; rewrite -/x; set S := \sum_(i < _) _ => counted_ok.
have gather_ok M := gathered_sound a b (masses_low c x) (masses_high c x) M small; rewrite e /= in gather_ok.
pose K : R := whole (unit_of (cut w)) * (whole (power (flip c).2 (times c)) * U).
have D0 : 0 < whole (power (flip c).2 (times c)).
  by rewrite whole_power exprn_gt0 //; case/and5P: sound => _ D0 _ _ _; exact: whole_gt0.
have K0 : 0 < K by rewrite mulr_gt0 ?unit_gt0 // mulr_gt0.
have leK : whole (unit_of (cut w) * power (flip c).2 (times c) * least x) <= K.
  by rewrite !wholeM -mulrA /K ler_pmul2l ?unit_gt0 // ler_pmul2l.
have Kle : K <= whole (unit_of (cut w) * power (flip c).2 (times c) * most x).
  by rewrite !wholeM -mulrA /K ler_pmul2l ?unit_gt0 // ler_pmul2l.
have x0 : 0 < r ^+ deepest w by rewrite exprn_gt0.
have top_ok : one * (r ^+ deepest w / r ^+ size (made w)) <= whole (highest w).
  have c0 : 0 < whole (coarse w) by case/andP: ok => c0 _; exact: whole_gt0.
  have -> : r ^+ deepest w / r ^+ size (made w) = (r ^+ (size (made w) - deepest w))^-1.
    by rewrite -{1}(subnKC deep) exprD invfM mulrA divff ?mul1r // gt_eqF.
  rewrite expr_div_n invf_div mulrA ler_pdivr_mulr ?exprn_gt0 //.
  by have := whole_le R high; rewrite !wholeM !whole_power.
have [_ /(_ fits) grid_ok] := on_the_grid_sound A B a0 b0 leK Kle x0 top_ok.
rewrite -(ler_pmul2l K0); apply: le_trans grid_ok _; apply: le_trans (gather_ok _) _.
by rewrite /K -mulrA ler_pmul2l ?unit_gt0.
Qed.

(* ---------- Rounds of this pair ---------- *)

(* A row of numbers, of mu, mu / g, mu / g^2, ..., and of whatever comes after its end. *)
Definition needed_row Z (mu : R) row (M : N) : Prop :=
  forall i, whole (nth M row i) <= one * profile Z 1 (mu * r ^+ i).

Lemma needed_behead Z mu row M : needed_row Z mu row M -> needed_row Z (mu * r) (behead row) M.
Proof. by move=> h i; have := h i.+1; rewrite exprS mulrA nth_behead. Qed.

Lemma needed_cons Z mu y row M : whole y <= one * profile Z 1 mu ->
  needed_row Z (mu * r) row M -> needed_row Z mu (y :: row) M.
Proof. by move=> at_mu h [|i] /=; rewrite ?expr0 ?mulr1 // exprS mulrA. Qed.

Lemma nothing_needed Z mu : whole 0 <= one * profile Z 1 mu.
Proof. by rewrite whole0 mulr_ge0 ?profile_ge0 // ltW. Qed.

Lemma needed_ncons Z mu row M j : needed_row Z mu row M -> needed_row Z (mu / r ^+ j) (ncons j 0%num row) M.
Proof.
move=> h; elim: j => [|j IH]; first by rewrite expr0 divr1.
apply: needed_cons; first exact: nothing_needed.
by rewrite exprSr invfM [mu * _]mulrA divfK // gt_eqF.
Qed.

(* After its end as much is needed as there: a smaller lambda needs more. *)
Lemma needed_last Z mu row : measures Z -> 0 <= mu -> needed_row Z mu row 0%num -> needed_row Z mu row (last 0%num row).
Proof.
move=> mZ mu0 h i; case: (ltnP i (size row)) => il; first by rewrite (set_nth_default 0%num).
rewrite nth_default // -nth_last; apply: le_trans (h _) _; rewrite ler_pmul2l //; apply: profile_falls => //.
apply: ler_wpmul2l => //; apply: ler_wiexpn2l; rewrite ?(ltW r_gt0) ?(r_le1 R ok) //.
by apply: leq_trans il; exact: leq_pred.
Qed.

Lemma weigh_down_sound Z (x mu : R) row M l : 0 < x -> needed_row Z mu row M ->
  whole (weigh M l row) <= one * (one * \sum_(y <- outcomes w x l) profile Z (1 * y.1) (x * mu * y.2)).
Proof.
have o1 := one_gt0; elim: l x mu row => [|p l IH] x mu row x0 h; first by rewrite big_nil !mulr0.
rewrite big_cons [weigh _ _ _]/= wholeD !mulrDr; apply: ler_add.
  have -> : profile Z (1 * (whole p / one, whole p / one / x).1) (x * mu * (whole p / one, whole p / one / x).2) =
      whole p / one * profile Z 1 mu.
    have e : x * mu * (whole p / one / x) = whole p / one * mu by rewrite mulrC mulrA divfK // gt_eqF.
    by rewrite /= e mul1r -profile_scaled ?over_one_ge0 // mulr1.
  rewrite [one * (_ / one * _)]mulrA [one * (_ / one)]mulrC divfK ?gt_eqF // mulrCA wholeM; apply: ler_wpmul2l; first exact: whole_ge0.
  by have := h 0%N; rewrite expr0 mulr1 nth0.
have -> : x * mu = x / r * (mu * r) by rewrite [mu * r]mulrC mulrA divfK // gt_eqF // r_gt0.
by apply: IH; [rewrite divr_gt0 // r_gt0 | exact: needed_behead].
Qed.

Lemma slide_down_sound Z mu row M m : needed_row Z (mu / r ^+ deepest w) row M ->
  needed_row (product made_pair Z) mu (slide_down w M m row) 0%num.
Proof.
have o1 := one_gt0; have x0 : 0 < r ^+ deepest w by rewrite exprn_gt0.
elim: m mu row => [|m IH] mu row h; first by move=> i; rewrite nth_nil; exact: nothing_needed.
apply: needed_cons; last by apply: IH; rewrite mulrAC; exact: needed_behead.
have := weigh_down_sound (made w) x0 h; rewrite [_ * (mu / _)]mulrC divfK ?gt_eqF // profile_product => le.
rewrite -(ler_pmul2r one_gt0) [X in _ <= X]mulrC.
have := whole_down R (fine w) (weigh M (made w) row); rewrite -whole_2pow -unit_of_pow => le'.
exact: le_trans le' le.
Qed.

Lemma below_one_down_sound j m (x : N) : one * r ^+ j <= whole x ->
  needed_row (nothing_seen R) (r ^+ j.+1) (below_one_down w m x) 0%num.
Proof.
elim: m j x => [|m IH] j x le; first by move=> i; rewrite nth_nil; exact: nothing_needed.
have le' : one * r ^+ j.+1 <= whole (up_a_step w x).
  by apply: le_trans (whole_up_a_step R w x); rewrite exprS mulrCA ler_wpmul2l // ltW.
apply: needed_cons; last by rewrite -exprSr; exact: IH.
rewrite wholeB -/one /profile big_cons big_nil addr0 /= !mulr1 (maxr_pmulr _ _ (ltW one_gt0)) mulr0.
by rewrite le_maxl !le_maxr lexx /= mulrBr mulr1; apply/orP; right; rewrite ler_add2l ler_opp2.
Qed.

Lemma rounds_down_sound T : needed_row (power_of made_pair T) (r ^+ (level w + before w))^-1
  (iter T (round_down w) (no_rounds_down w)) 0%num.
Proof.
elim: T => [|T IH] /=; last first.
  apply: slide_down_sound; apply: needed_ncons; apply: needed_last IH; first by rewrite measures_power // measures_made.
  by rewrite invr_ge0 exprn_ge0 // ltW.
rewrite /no_rounds_down [ncons _ _ _]/=; elim: (level w + before w)%N => [|j IH]; apply: needed_cons; try exact: nothing_needed.
  by rewrite expr0 invr1 mul1r -[r]expr1; apply: below_one_down_sound; rewrite expr0 mulr1.
by rewrite exprSr invfM divfK ?gt_eqF.
Qed.

Lemma dominated_powers (X Y : seq (R * R)) T : measures X -> measures Y -> dominated X Y -> dominated (power_of X T) (power_of Y T).
Proof. by move=> mX mY h; elim: T => [//|T IH]; apply: dominated_product; rewrite ?measures_power. Qed.

(* So many rounds of the dataset's pair need so much. *)
Theorem of_rounds_down_sound c T lam : reached w c -> 0 <= lam <= value (lambda c) ->
  whole (of_rounds_down w T) <=
  one * profile (power_of (named_pair (times c) (value (flip c)) (named w) ((records c).-1 - named w)) T) 1 lam.
Proof.
case/andP => shown at_level /andP[l0 le]; have o1 := one_gt0.
have sound : sensible c by move: shown; rewrite /shown_by; case: (gathered _ _ _) => ? ? /and3P[].
have q01 := sensible_q R sound.
have mX := measures_named (times c) (named w) ((records c).-1 - named w) q01.
have := rounds_down_sound T (before w); rewrite -/(of_rounds_down w T) => h; apply: le_trans h _.
have -> : (r ^+ (level w + before w))^-1 * r ^+ before w = (r ^+ level w)^-1.
  by rewrite exprD invfM mulrAC -mulrA divff ?mulr1 // gt_eqF // exprn_gt0.
rewrite ler_pmul2l //; apply: le_trans (dominated_powers T measures_made mX (made_is_dominated shown) ler01 _) _.
  by rewrite invr_ge0 exprn_ge0 // ltW.
apply: profile_falls; first exact: measures_power.
apply: le_trans le _; have g0 i : proper (iter i (up_the_lattice w) (1, 1)%num).
  by elim: i => [//|i IH]; exact: (up_the_lattice_proper ok).
have <- : value (iter (level w) (up_the_lattice w) (1, 1)%num) = (r ^+ level w)^-1.
  elim: (level w) => [|i IH]; first by rewrite expr0 invr1; exact: divr1.
  by rewrite /= up_the_lattice_value IH [in RHS]exprSr [RHS]invfM.
by apply: value_le => //; case/and5P: sound.
Qed.

End OnTheGrid.
