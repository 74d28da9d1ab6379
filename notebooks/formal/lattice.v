(* A bound of delta for so many rounds, in whole numbers, and why it holds for every strategy.

   One round is bounded at lambda = g^0, g^1, ..., g^L by the checker of single rounds (check.v), with g > 1. By the mirror
   image that bounds it at g^-1, ..., g^-L too. A pair whose losses are multiples of log g, and which gives away at least
   as much at these points, gives away at least as much everywhere: between two of them its profile is a straight line,
   and any profile lies below its chords. So it dominates the round (rounds.v), and rounds of it are summed up here. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory monotone whole check rounds promise grid.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.

(* ---------- What is computed ---------- *)

(* A bound of one round: at most bound / 2^fine of delta is needed at a number next to g^j, shown by blocks. A bound of 1
   needs none: so much is always enough. *)
Record knot := Knot { near : ratio; bound : N; knot_blocks : seq block; knot_precision : precision }.

(* Where to look. The pair has the masses [of_loss] for the losses -L, ..., L, and [infinite] where Q is 0. lambda lies between g^reach and the next power; rows of numbers begin [ahead]
   steps above that and end [behind] steps below 1. Nothing of this need be believed. *)
Record lattice := Lattice {
  on : grid; knots : seq knot; of_loss : seq N; infinite : N; reach : nat; ahead : nat; behind : nat }.

Coercion on : lattice >-> grid.

Open Scope N_scope.

Section Computed.
Variable w : lattice.
Let one : N := unit_of (fine w).

(* Every knot is proven, the first at lambda = g. *)
Fixpoint proven (n k : nat) (q g : ratio) (ks : seq knot) : bool :=
  if ks is x :: ks' then
    ((one <=? bound x) || [&& proper (near x), at_most (near x) g
      & check (Setting n k q (near x)) (bound x, one) (knot_precision x) (knot_blocks x)])
    && proven n k q (up_the_lattice w g) ks'
  else true.

(* The bounds at g^-1, g^-2, ..., put before those at g^0, g^1, ...; x is 1, at first. *)
Fixpoint mirrored (x : N) (bounds found : seq N) : seq N :=
  if bounds is y :: bounds' then
    let z := down_a_step w x in mirrored z bounds' (one - down (fine w) (z * (one - y)) :: found)
  else found.

(* The P mass above a loss, and about lambda times the Q mass there. *)
Fixpoint tail (l : seq N) : N * N :=
  if l is x :: l' then let: (p, q) := tail l' in (p + x, up_a_step w (q + x)) else (infinite w, 0).

(* The pair gives away at least so much at every knot where it has a mass, and at the last one. *)
Fixpoint above (bounds l : seq N) : bool :=
  match bounds, l with
  | y :: bounds', x :: l' => let: (p, q) := tail l' in ((x =? 0) && (0 < size l')%N || (y <=? p - q)) && above bounds' l'
  | [::], [::] => true
  | _, _ => false
  end.

(* A row says how much is needed at most at lambda = g^i, g^(i-1), ..., and M how much after its end. A larger lambda needs
   no more than the head of the row. Of no rounds that is [1 - lambda]_+. *)
Fixpoint below_one (n : nat) (x : N) : seq N :=
  if n is n'.+1 then let y := down_a_step w x in one - y :: below_one n' y else [::].
Definition no_rounds : N * seq N := (one, ncons (reach w + (ahead w).+1).+1 0 (below_one (behind w) one)).

(* One round more. Of every loss the mass, times what the rounds before need at lambda over its ratio. *)
Fixpoint slide (M : N) (l : seq N) (i : nat) (row : seq N) : seq N :=
  if i is i'.+1 then up (fine w) (weigh M l row + infinite w * M) :: slide M l i' (behead row) else [::].

Definition round (x : N * seq N) : N * seq N :=
  let: (M, row) := x in
  (up (fine w) ((total (of_loss w) + infinite w) * M),
   slide M (of_loss w) (size row) (ncons (size (knots w)).-1 (head M row) row)).

(* So much delta so many rounds need at most: at lambda = g^reach, and at the next power. *)
Definition of_rounds (T : nat) : N * N :=
  let: (M, row) := iter T round no_rounds in (nth M row (ahead w).+1, nth M row (ahead w)).

(* Between two powers delta is at most its chord. *)
Definition between_powers (a b lam delta : ratio) (bounds : N * N) : bool :=
  [&& at_most a lam, at_most lam b
    & ((b.1 * lam.2 - lam.1 * b.2) * a.2 * bounds.1 + (lam.1 * a.2 - a.1 * lam.2) * b.2 * bounds.2) * delta.2
      <=? delta.1 * one * (b.1 * a.2 - a.1 * b.2) * lam.2].

Definition sensible_lattice : bool := sensible_grid w && (one <=? total (of_loss w) + infinite w).

Definition check_rounds (T n k : nat) (q lam delta : ratio) : bool :=
  let bounds := map bound (knots w) in
  [&& sensible_lattice, proper q & at_most q (1, 1)] &&
  [&& proven n k q (1, 1) (knots w), above (mirrored one (behead bounds) bounds) (of_loss w),
    proper lam, proper delta
    & let low := iter (reach w) (up_the_lattice w) (1, 1) in between_powers low (up_the_lattice w low) lam delta (of_rounds T)].

End Computed.

Close Scope N_scope.

(* ---------- Chords ---------- *)

Local Open Scope ring_scope.

Section Chords.
Variable R : realFieldType.
Implicit Types (X Y Z : seq (R * R)) (x lam r : R).

(* Between x and x' the profile of Y has no kink: it is a straight line. *)
Definition straight Y x x' : Prop := forall y, y \in Y -> y.1 <= x * y.2 \/ x' * y.2 <= y.1.

Lemma chord X Y x x' lam : measures Y -> x <= lam <= x' -> x < x' -> straight Y x x' ->
  profile X 1 x <= profile Y 1 x -> profile X 1 x' <= profile Y 1 x' -> profile X 1 lam <= profile Y 1 lam.
Proof.
move=> /allP mY both lt line at_x at_x'; have pos : 0 < x' - x by rewrite subr_gt0.
rewrite -(ler_pmul2l pos); apply: le_trans (profile_chord X both) _; case/andP: both => le le'.
have d0 : 0 <= x' - lam by rewrite subr_ge0.
have d1 : 0 <= lam - x by rewrite subr_ge0.
apply: le_trans (ler_add (ler_wpmul2l d0 at_x) (ler_wpmul2l d1 at_x')) _.
rewrite /profile !big_distrr -big_split /= !big_seq; apply: ler_sum => y yY; have /andP[y1 y2] := mY y yY.
have rises a b : a <= b -> a * y.2 <= b * y.2 by move=> ab; exact: ler_wpmul2r.
rewrite !mul1r; have xx' := ltW lt; case: (line y yY) => [le_y|ge_y].
  by rewrite !max_l ?mulr0 ?addr0 // subr_le0 // (le_trans le_y) // rises.
rewrite !max_r ?subr_ge0 ?(le_trans _ ge_y) ?rises //.
have e : (x' - lam) * x + (lam - x) * x' = (x' - x) * lam.
  by rewrite !mulrBl [x * x']mulrC addrC addrA subrK [x' * lam]mulrC [x * lam]mulrC.
by rewrite !mulrBr addrACA -mulrDl -opprD !mulrA -mulrDl e addrA subrK.
Qed.

(* A number lies beyond the last of some rising points, or between two of them, with no other one between these. *)
Lemma between (x : nat -> R) (P : pred nat) last lam : P 0%N -> P last -> x 0%N <= lam ->
  x last <= lam \/ exists i j, [/\ P i, P j, (j <= last)%N, x i <= lam < x j & forall l, P l -> (l <= i)%N || (j <= l)%N].
Proof.
move=> P0 Plast h; case: (leP (x last) lam) => [|lt]; [by left | right].
have ex : exists j, P j && (lam < x j) by exists last; rewrite Plast.
case: (ex_minnP ex) => j /andP[Pj ltj] least.
have ex' : exists i, P i && (i < j)%N.
  by exists 0%N; rewrite P0 lt0n; apply: contraL ltj => /eqP->; rewrite -leNgt.
have bounded i : P i && (i < j)%N -> (i <= j)%N by case/andP => _ /ltnW.
case: (ex_maxnP ex' bounded) => i /andP[Pi ltij] most.
exists i, j; split=> //; first by apply: least; rewrite Plast.
  by rewrite ltj andbT leNgt; apply/negP => lti; have := least i; rewrite Pi lti leqNgt ltij => /(_ isT).
by move=> l Pl; case: (leqP j l) => [|lj]; rewrite ?orbT // most // Pl.
Qed.

(* (C6) Some of the rising points from 0 on, and a pair whose losses are among them. *)
Theorem chords X Y (x : nat -> R) (P : pred nat) last : measures X -> measures Y -> x 0%N = 0 -> P 0%N -> P last ->
  {homo x : i j / (i < j)%N >-> i < j} ->
  (forall i, P i -> (i <= last)%N -> profile X 1 (x i) <= profile Y 1 (x i)) ->
  (forall y, y \in Y -> (exists i, [/\ P i, (i <= last)%N & y.1 = x i * y.2]) \/ y.2 = 0) -> dominated X Y.
Proof.
move=> mX mY x0 P0 Plast rise at_x losses; apply: dominated_everywhere => // lam l0.
have rises i j : (i <= j)%N -> x i <= x j by rewrite leq_eqVlt => /predU1P[->//|/rise/ltW].
have m y yY := allP mY y yY; have x0_lam : x 0%N <= lam by rewrite x0.
have [le|[i [j [Pi Pj jl both none]]]] := between P0 Plast x0_lam.
  apply: le_trans (profile_falls mX le) _; apply: le_trans (at_x last Plast (leqnn _)) _.
  rewrite /profile !big_seq; apply: ler_sum => y yY; have /andP[y1 y2] := m y yY.
  rewrite !mul1r; case: (losses y yY) => [[i [_ il e]]|->]; last by rewrite !mulr0.
  by rewrite max_l ?le_maxr ?lexx // subr_le0 e ler_wpmul2r // rises.
case/andP: (both) => le lt; have ltx := le_lt_trans le lt.
have ij : (i < j)%N by rewrite ltnNge; apply/negP => /rises; rewrite leNgt ltx.
apply: (chord mY _ ltx); rewrite ?le ?(ltW lt) ?at_x ?(leq_trans (ltnW ij)) // => y yY; have /andP[y1 y2] := m y yY.
case: (losses y yY) => [[l [Pl ll ->]]|->]; last by right; rewrite mulr0.
by case/orP: (none l Pl) => h; [left | right]; rewrite ler_wpmul2r // rises.
Qed.

End Chords.

(* ---------- The pair of the lattice ---------- *)

Section Lattice.
Variable R : realFieldType.
Variable w : lattice.
Hypothesis ok : sensible_lattice w.
Notation whole := (whole R).
Notation value := (value R).
Implicit Types (X Y Z : seq (R * R)) (lam : R) (l row : seq N).

Let one : R := whole (unit_of (fine w)).
Let r : R := whole (coarse w) / whole (unit_of (scale w)).
Let okg : sensible_grid w. Proof. by case/andP: ok. Qed.
Let one_gt0 : 0 < one := one_gt0 R w.
Let r_gt0 : 0 < r := r_gt0 R okg.
Let r_lt1 : r < 1 := r_lt1 R okg.
Let r_le1 : r <= 1 := r_le1 R okg.
Let over_one_ge0 := over_one_ge0 R w.
Let measures_outcomes := @measures_outcomes R w okg.
Let loss_of := @loss_of R w okg.
Let whole_up_a_step := whole_up_a_step R w.
Let whole_down_a_step := whole_down_a_step R w.
Let up_the_lattice_value := up_the_lattice_value R w.
Let up_the_lattice_proper := up_the_lattice_proper okg.
Let outcomes_sum := @outcomes_sum R w.
Notation outcomes := (outcomes w).

Definition top : nat := (size (knots w)).-1.
Definition pair_of : seq (R * R) := (whole (infinite w) / one, 0) :: outcomes (r ^+ top) (of_loss w).

Lemma measures_pair : measures pair_of.
Proof.
apply/andP; split; first by rewrite /= lexx over_one_ge0.
by apply: measures_outcomes; rewrite exprn_gt0 // r_gt0.
Qed.

Lemma profile_pair lam : profile pair_of 1 lam = whole (infinite w) / one + profile (outcomes (r ^+ top) (of_loss w)) 1 lam.
Proof.
by rewrite profile_cons mulr0 subr0 mul1r max_r // over_one_ge0.
Qed.

(* ---------- It gives away at least so much at the knots ---------- *)

Lemma tail_sound (x : R) l : 0 < x ->
  whole (tail w l).1 = whole (total l) + whole (infinite w) /\
  one * (x * \sum_(y <- outcomes (x / r) l) y.2) <= whole (tail w l).2.
Proof.
elim: l x => [|p l IH] x x0 /=; first by rewrite big_nil !mulr0 add0r lexx.
have [] := IH (x / r); first by rewrite divr_gt0 // r_gt0.
case: (tail w l) => P Q /= eP leQ; split; first by rewrite !wholeD eP addrC addrA.
apply: le_trans (whole_up_a_step _); rewrite big_cons /= wholeD mulrDr mulrDr addrC mulrDr.
have -> : one * (x * (whole p / one / (x / r))) = r * whole p.
  move: one_gt0 x0 => /lt0r_neq0 one0 /lt0r_neq0 x0.
  by rewrite invfM invrK [x * _]mulrCA [x * _]mulrA divff // mul1r mulrA [one * _]mulrC divfK // mulrC.
rewrite ler_add2r -ler_pdivr_mull ?r_gt0 //; apply: le_trans leQ.
by rewrite mulrCA [r^-1 * _]mulrA [r^-1 * x]mulrC.
Qed.

(* From some point on, the profile is at most the bounds. *)
Fixpoint under X (x : R) (bounds : seq N) : Prop :=
  if bounds is y :: bounds' then one * profile X 1 x <= whole y /\ under X (x / r) bounds' else True.

Lemma above_sound X (x : R) bounds l : 0 < x -> above w bounds l -> under X x bounds ->
  forall i, (i < size l)%N -> ~~ (nth 0 l i =? 0)%num || (i.+1 == size l) ->
  profile X 1 (x / r ^+ i) <= whole (infinite w) / one + profile (outcomes x l) 1 (x / r ^+ i).
Proof.
elim: bounds l x => [|y bounds IH] [|p l] x x0 //=.
have x0' : 0 < x / r by rewrite divr_gt0 // r_gt0.
have := tail_sound l x0; case: (tail w l) => P Q [/= eP leQ] /andP[here rest] [at_x later] [|i] il kink.
  have yPQ : whole y <= whole (P - Q)%num.
    case/orP: here => [/andP[p0 more]|]; last exact: whole_le.
    by move: kink; rewrite p0 eqSS eq_sym eqn0Ngt more.
  rewrite expr0 divr1 -(ler_pmul2l one_gt0); apply: le_trans at_x _; apply: le_trans yPQ _.
  rewrite wholeB le_maxl; apply/andP; split.
    by rewrite mulr_ge0 ?(ltW one_gt0) // addr_ge0 ?over_one_ge0 ?profile_ge0.
  rewrite mulrDr [one * (_ / one)]mulrC divfK ?gt_eqF ?one_gt0 // eP addrAC [X in _ <= X]addrC ler_add2r.
  apply: (@le_trans _ _ (one * profile (outcomes (x / r) l) 1 x)).
    apply: le_trans (ler_wpmul2l (ltW one_gt0) (profile_above _ _ _)).
    by rewrite mul1r mulrBr outcomes_sum ler_add2l ler_opp2.
  by rewrite ler_pmul2l ?one_gt0 // profile_cons ler_addr le_maxr lexx.
have e : x / r ^+ i.+1 = x / r / r ^+ i by rewrite exprS invfM mulrA.
rewrite e; apply: le_trans (IH l _ x0' rest later i il kink) _.
by rewrite ler_add2l profile_cons ler_addr le_maxr lexx.
Qed.

(* ---------- The mirror image ---------- *)

Lemma profile_at_0 X : measures X -> profile X 1 0 = \sum_(y <- X) y.1.
Proof.
move=> /allP mX; rewrite /profile !big_seq; apply: eq_bigr => y /mX/andP[y1 _].
by rewrite mul1r mul0r subr0 max_r.
Qed.

(* Of measures that sum to 1. *)
Definition laws_of_one X : Prop := [/\ measures X, \sum_(y <- X) y.1 = 1 & \sum_(y <- X) y.2 = 1].

Lemma profile_le1 X lam : laws_of_one X -> 0 <= lam -> profile X 1 lam <= 1.
Proof. by move=> [mX p1 _] l0; have := profile_falls mX l0; rewrite profile_at_0 // p1. Qed.

Lemma mirror_bound X (s : R) (z y : N) : laws_of_one X -> 0 < s -> whole z <= one * s ->
  one * profile (exchanged X) 1 s^-1 <= whole y ->
  one * profile X 1 s <= whole (unit_of (fine w) - down (fine w) (z * (unit_of (fine w) - y)))%num.
Proof.
move=> lX s0 le_z le_y; have [_ p1 q1] := lX; rewrite wholeB -/one.
set D := whole (down _ _); rewrite le_maxr; apply/orP; right.
have leD : D * one <= whole z * Num.max 0 (one - whole y).
  have := whole_down R (fine w) (z * (unit_of (fine w) - y)).
  by rewrite -whole_2pow -unit_of_pow wholeM wholeB.
have o1 := one_gt0; case: (leP (one - whole y) 0) leD => h leD.
  have D0 : D <= 0 by rewrite -(pmulr_lle0 _ o1) (le_trans leD) // mulr0.
  apply: (@le_trans _ _ one); last by rewrite -[X in X <= _]subr0 ler_add2l ler_opp2.
  by rewrite -[X in _ <= X]mulr1 ler_pmul2l // profile_le1 // ltW.
have leD' : D <= s * (one - whole y).
  rewrite -(ler_pmul2r o1); apply: le_trans leD _.
  by rewrite mulrAC [s * one]mulrC ler_wpmul2r // ltW.
have -> : profile X 1 s = s * profile X s^-1 1.
  by rewrite -(profile_scaled _ _ _ (ltW s0)) divff ?mulr1 // gt_eqF.
rewrite (profile_exchanged _ p1 q1) mulrDr mulrBr divff ?gt_eqF // mulr1.
apply: (@le_trans _ _ (one - s * (one - whole y))); last by rewrite ler_add2l ler_opp2.
rewrite mulrDr mulrBr mulr1 [s * (_ - _)]mulrBr opprB addrCA [X in _ <= X]addrC [one * s]mulrC ler_add2l mulrCA.
by apply: ler_wpmul2l; rewrite // ltW.
Qed.

Lemma mirrored_sound X j (x : N) bounds found : laws_of_one X -> whole x <= one * r ^+ j ->
  under (exchanged X) (r ^+ j.+1)^-1 bounds -> under X (r ^+ j) found ->
  under X (r ^+ (j + size bounds)) (mirrored w x bounds found).
Proof.
move=> lX; have r0 : r != 0 by rewrite gt_eqF // r_gt0.
elim: bounds j x found => [|y bounds IH] j x found le_x /=; first by rewrite addn0.
have le_z : whole (down_a_step w x) <= one * r ^+ j.+1.
  by apply: le_trans (whole_down_a_step x) _; rewrite exprS mulrCA ler_wpmul2l // ltW // r_gt0.
move=> [at_y later] before; rewrite addnS -addSn; apply: IH => //.
  by have -> : (r ^+ j.+2)^-1 = (r ^+ j.+1)^-1 / r by rewrite [r ^+ j.+2]exprSr invfM.
split; first by apply: mirror_bound le_z at_y; rewrite // exprn_gt0 // r_gt0.
by rewrite exprSr mulfK.
Qed.

(* ---------- Every knot ---------- *)

Variables (n k : nat) (q : ratio).
Hypothesis q01 : 0 <= value q <= 1.

Lemma proven_sound g ks d d' : proven w n k q g ks -> proper g -> size d = n -> neighbours d d' ->
  under (laws (reports k (value q) d) (reports k (value q) d')) (value g) (map bound ks).
Proof.
elim: ks g => [//|x ks IH] g /= /andP[here rest] g0 sd nb; have sz := size_neighbours k (value q) nb.
split; last by rewrite -up_the_lattice_value; apply: IH => //; exact: up_the_lattice_proper.
case/orP: here => [le1|/and3P[near0 le checked]].
  apply: le_trans (whole_le R le1); rewrite -[X in _ <= X]mulr1 ler_pmul2l ?one_gt0 // profile_le1 ?value_ge0 //.
  by have [p1 q1] := laws_sum sz; split=> //; apply: measures_laws; exact: reports_probabilities.
have dp := DP_larger_lambda q01 (value_le R near0 g0 le) (check_sound R checked).
by rewrite profile_div mulrC -ler_pdivl_mulr ?one_gt0 //; apply/hockey_stick; [exact: sz | exact: dp].
Qed.

Lemma neighbours_sym (d d' : seq bool) : neighbours d d' -> size d' = size d /\ neighbours d' d.
Proof.
move=> [u [v [b [b' [-> ->]]]]]; rewrite !size_cat; split=> //.
by exists u, v, b', b.
Qed.

Theorem dominates : proven w n k q (1, 1)%num (knots w) ->
  above w (mirrored w (unit_of (fine w)) (behead (map bound (knots w))) (map bound (knots w))) (of_loss w) ->
  dominates_round n k (value q) pair_of.
Proof.
move=> known enough d d' sd nb; have [sd' nb'] := neighbours_sym nb.
have at_1 : value (1, 1)%num = 1 by exact: divr1.
have sz := size_neighbours k (value q) nb.
have here := proven_sound known erefl sd nb; have there := proven_sound known erefl (etrans sd' sd) nb'.
set X := laws _ _ in here *; rewrite -(exchanged_laws sz) -/X at_1 in here there.
have [p1 q1] := laws_sum sz; have mX : measures X by apply: measures_laws; exact: reports_probabilities.
have lX : laws_of_one X by [].
have r0 := r_gt0; have x0 : 0 < r ^+ top by rewrite exprn_gt0.
have all_under : under X (r ^+ top) (mirrored w (unit_of (fine w)) (behead (map bound (knots w))) (map bound (knots w))).
  have -> : top = (0 + size (behead (map bound (knots w))))%N by rewrite add0n size_behead size_map.
  apply: mirrored_sound; rewrite ?expr0 ?mulr1 ?expr1 //.
  by case: (map _ _) there => [//|y ys] [_]; rewrite mul1r.
have knots_ok := above_sound x0 enough all_under.
pose kink i := if i is i'.+1 then ~~ (nth 0 (of_loss w) i' =? 0)%num || (i == size (of_loss w)) else true.
apply: (@chords R X pair_of (fun i => if i is i'.+1 then r ^+ top / r ^+ i' else 0) kink (size (of_loss w))) => //.
- exact: measures_pair.
- by rewrite /kink; case: (size _) => // m; rewrite eqxx orbT.
- case=> [|i] [|j] // ij; first by rewrite divr_gt0 ?exprn_gt0.
  by rewrite ltr_pmul2l // ltf_pinv ?posrE ?exprn_gt0 // ltr_iexpn2l // r_lt1.
- case=> [_ _|i at_i il]; last by rewrite profile_pair; exact: knots_ok.
  rewrite !profile_at_0 ?measures_pair // p1 big_cons /= -(ler_pmul2l one_gt0) mulr1 mulrDr outcomes_sum.
  rewrite [one * _]mulrC divfK ?gt_eqF ?one_gt0 // addrC -wholeD.
  by case/andP: ok => _; exact: whole_le.
move=> y; rewrite in_cons => /predU1P[->|/(loss_of x0)[[i [il at_i e]]|]]; [by right | left | by right].
by exists i.+1; rewrite /kink at_i.
Qed.

(* ---------- Rounds of this pair ---------- *)

(* A row of numbers: of mu, mu / g, mu / g^2, ..., and of whatever comes after its end. *)
Definition bounds_row Z (mu : R) row (M : N) : Prop :=
  one * profile Z 1 0 <= whole M /\ forall i, one * profile Z 1 (mu * r ^+ i) <= whole (nth M row i).

Lemma bounds_behead Z mu row M : bounds_row Z mu row M -> bounds_row Z (mu * r) (behead row) M.
Proof. by move=> [at_0 h]; split=> // i; have := h i.+1; rewrite exprS mulrA nth_behead. Qed.

Lemma bounds_cons Z mu y row M : one * profile Z 1 mu <= whole y ->
  bounds_row Z (mu * r) row M -> bounds_row Z mu (y :: row) M.
Proof.
by move=> at_mu [at_0 h]; split=> // -[|i] /=; rewrite ?expr0 ?mulr1 // exprS mulrA.
Qed.

Lemma bounds_head Z mu row M : bounds_row Z mu row M -> one * profile Z 1 mu <= whole (head M row).
Proof. by move=> [_ /(_ 0%N)]; rewrite expr0 mulr1 nth0. Qed.

(* A larger lambda needs no more than the head of the row. *)
Lemma bounds_ncons Z mu row M j : measures Z -> 0 <= mu -> bounds_row Z mu row M ->
  bounds_row Z (mu / r ^+ j) (ncons j (head M row) row) M.
Proof.
move=> mZ mu0 h; have at_mu := bounds_head h; have r0 := r_gt0.
elim: j => [|j IH]; first by rewrite expr0 divr1.
apply: bounds_cons; last by rewrite exprSr invfM [mu * _]mulrA divfK // gt_eqF.
apply: le_trans at_mu; rewrite ler_pmul2l ?one_gt0 //; apply: profile_falls => //.
rewrite ler_pdivl_mulr ?exprn_gt0 // -[X in _ <= X]mulr1; apply: ler_wpmul2l => //.
by apply: exprn_ile1; [exact: ltW | exact: r_le1].
Qed.

Lemma profile_times_0 Z c : 0 <= c -> profile Z c 0 = c * profile Z 1 0.
Proof. by move=> c0; rewrite -(profile_scaled _ _ _ c0) mulr1 mulr0. Qed.

(* What is left after each loss, weighed. *)
Lemma weigh_sound Z (x mu : R) row M l : 0 < x -> bounds_row Z mu row M ->
  one * (one * \sum_(y <- outcomes x l) profile Z (1 * y.1) (x * mu * y.2)) <= whole (weigh M l row).
Proof.
have o1 := one_gt0; elim: l x mu row => [|p l IH] x mu row x0 h; first by rewrite big_nil !mulr0.
rewrite big_cons [weigh _ _ _]/= wholeD !mulrDr; apply: ler_add.
  have -> : profile Z (1 * (whole p / one, whole p / one / x).1) (x * mu * (whole p / one, whole p / one / x).2) =
      whole p / one * profile Z 1 mu.
    have e : x * mu * (whole p / one / x) = whole p / one * mu by rewrite mulrC mulrA divfK // gt_eqF.
    by rewrite /= e mul1r -profile_scaled ?over_one_ge0 // mulr1.
  rewrite [one * (_ / one * _)]mulrA [one * (_ / one)]mulrC divfK ?gt_eqF // mulrCA wholeM; apply: ler_wpmul2l; first exact: whole_ge0.
  exact: bounds_head.
have -> : x * mu = x / r * (mu * r) by rewrite [mu * r]mulrC mulrA divfK // gt_eqF // r_gt0.
by apply: IH; [rewrite divr_gt0 // r_gt0 | exact: bounds_behead].
Qed.

Lemma profile_round Z mu : profile (product pair_of Z) 1 mu =
  whole (infinite w) / one * profile Z 1 0 + \sum_(y <- outcomes (r ^+ top) (of_loss w)) profile Z (1 * y.1) (mu * y.2).
Proof. by rewrite profile_product big_cons /= mul1r mulr0 (profile_times_0 Z (over_one_ge0 _)). Qed.

Lemma slide_sound Z mu row M M' m : measures Z -> 0 <= mu -> bounds_row Z (mu / r ^+ top) row M ->
  one * profile (product pair_of Z) 1 0 <= whole M' ->
  bounds_row (product pair_of Z) mu (slide w M (of_loss w) m row) M'.
Proof.
move=> mZ mu0 h at_0; have o1 := one_gt0; have r0 := r_gt0; have x0 : 0 < r ^+ top by rewrite exprn_gt0.
elim: m mu row mu0 h => [|m IH] mu row mu0 h.
  split=> // i; rewrite nth_nil; apply: le_trans at_0; rewrite ler_pmul2l //.
  by apply: profile_falls; rewrite ?measures_product ?measures_pair // mulr_ge0 // exprn_ge0 // ltW.
apply: bounds_cons; last first.
  apply: IH; first by rewrite mulr_ge0 // ltW.
  by rewrite mulrAC; exact: bounds_behead.
apply: whole_up_one; rewrite profile_round mulrC !mulrDr wholeD addrC; apply: ler_add.
  have := weigh_sound (of_loss w) x0 h; by rewrite [_ * (mu / _)]mulrC divfK // gt_eqF.
rewrite wholeM [one * (_ / one * _)]mulrA [one * (_ / one)]mulrC divfK ?gt_eqF // mulrCA.
by apply: ler_wpmul2l; [exact: whole_ge0 | case: h].
Qed.

Lemma round_sound Z mu x : measures Z -> 0 <= mu -> bounds_row Z mu x.2 x.1 ->
  bounds_row (product pair_of Z) mu (round w x).2 (round w x).1.
Proof.
case: x => M row mZ mu0 h; have o1 := one_gt0; apply: slide_sound => //; first exact: bounds_ncons.
apply: whole_up_one; rewrite profile_at_0 ?measures_product ?measures_pair //.
have -> : \sum_(y <- product pair_of Z) y.1 = (\sum_(y <- pair_of) y.1) * profile Z 1 0.
  rewrite profile_at_0 // big_allpairs_dep mulr_suml; apply: eq_bigr => y _.
  by rewrite -mulr_sumr.
set S := \sum_(y <- _) _; have -> : one * (S * profile Z 1 0) * one = one * S * (one * profile Z 1 0).
  by rewrite mulrA -mulrA [_ * one]mulrC.
have -> : one * S = whole (total (of_loss w) + infinite w)%num.
  by rewrite /S big_cons /= mulrDr outcomes_sum [one * _]mulrC divfK ?gt_eqF // addrC wholeD.
by rewrite wholeM; apply: ler_wpmul2l; [exact: whole_ge0 | case: h].
Qed.

Lemma below_one_sound j m (x : N) : whole x <= one * r ^+ j ->
  bounds_row (nothing_seen R) (r ^+ j.+1) (below_one w m x) (unit_of (fine w)).
Proof.
have r0 := r_gt0; have o1 := one_gt0; have one_round mu : 0 <= mu -> profile (nothing_seen R) 1 mu <= 1.
  by move=> mu0; rewrite /profile big_cons big_nil addr0 /= !mulr1 le_maxl ler01 ler_subl_addr ler_addl.
have at_0 : one * profile (nothing_seen R) 1 0 <= one by rewrite -[X in _ <= X]mulr1 ler_pmul2l // one_round.
elim: m j x => [|m IH] j x le.
  split=> // i; rewrite nth_nil -[X in _ <= X]mulr1 ler_pmul2l //.
  by apply: one_round; rewrite mulr_ge0 // exprn_ge0 // ltW.
have le' : whole (down_a_step w x) <= one * r ^+ j.+1.
  by apply: le_trans (whole_down_a_step x) _; rewrite exprS mulrCA ler_wpmul2l // ltW.
apply: bounds_cons; last by rewrite -exprSr; exact: IH.
rewrite wholeB -/one /profile big_cons big_nil addr0 /= !mulr1 (maxr_pmulr _ _ (ltW o1)) mulr0.
rewrite le_maxl !le_maxr lexx /= mulrBr mulr1; apply/orP; right.
by rewrite ler_add2l ler_opp2.
Qed.

Lemma no_rounds_sound :
  bounds_row (nothing_seen R) (r ^+ (reach w + (ahead w).+1))^-1 (no_rounds w).2 (no_rounds w).1.
Proof.
have r0 := r_gt0; have o1 := one_gt0; rewrite /no_rounds [_.1]/= [_.2]/=.
have falls j : one * profile (nothing_seen R) 1 (r ^+ j)^-1 <= whole 0.
  rewrite /profile big_cons big_nil addr0 /= !mulr1 max_l ?mulr0 // subr_le0.
  by rewrite invr_ge1 ?unitfE ?gt_eqF ?exprn_gt0 // (exprn_ile1 _ (ltW r0) r_le1).
elim: (reach w + (ahead w).+1)%N => [|j IH]; apply: bounds_cons => //.
  rewrite expr0 invr1 mul1r -[r]expr1; apply: below_one_sound; by rewrite expr0 mulr1.
by rewrite exprSr invfM divfK ?gt_eqF.
Qed.

Lemma of_rounds_sound T :
  one * profile (power_of pair_of T) 1 (r ^+ reach w)^-1 <= whole (of_rounds w T).1 /\
  one * profile (power_of pair_of T) 1 (r ^+ (reach w).+1)^-1 <= whole (of_rounds w T).2.
Proof.
have r0 := r_gt0; pose mu := (r ^+ (reach w + (ahead w).+1))^-1.
have mu0 : 0 <= mu by rewrite invr_ge0 exprn_ge0 // ltW.
have h : bounds_row (power_of pair_of T) mu (iter T (round w) (no_rounds w)).2 (iter T (round w) (no_rounds w)).1.
  elim: T => [|T IH]; first exact: no_rounds_sound.
  by apply: round_sound IH; rewrite // measures_power // measures_pair.
have at_ i j : (i + j)%N = (reach w + (ahead w).+1)%N -> mu * r ^+ i = (r ^+ j)^-1.
  by rewrite /mu => <-; rewrite exprD invfM mulrAC mulVf ?mul1r // gt_eqF // exprn_gt0.
rewrite /of_rounds; case: (iter T _ _) h => M row [_ h]; split; [have := h (ahead w).+1 | have := h (ahead w)].
  by rewrite (at_ _ (reach w)) // addnC.
by rewrite (at_ _ (reach w).+1) // !addnS addnC.
Qed.

(* ---------- Between two powers ---------- *)

Lemma crossed (x y : ratio) : proper x -> proper y -> at_most x y ->
  whole (y.1 * x.2 - x.1 * y.2)%num = whole x.2 * whole y.2 * (value y - value x).
Proof.
move=> x0 y0 le; rewrite wholeB !wholeM max_r ?subr_ge0; last by rewrite -!wholeM; exact: whole_le.
have e (z : ratio) : proper z -> whole z.1 = value z * whole z.2.
  by move=> z0; rewrite /whole.value /frac divfK // gt_eqF // whole_gt0.
by rewrite (e x) // (e y) // mulrBr; congr (_ - _); [rewrite (ACl (3*2*1))%AC | rewrite (ACl (2*3*1))%AC].
Qed.

Lemma between_powers_sound X (a b low delta : ratio) bounds : proper a -> proper b -> proper low -> proper delta ->
  value a < value b -> between_powers w a b low delta bounds ->
  one * profile X 1 (value a) <= whole bounds.1 -> one * profile X 1 (value b) <= whole bounds.2 ->
  profile X 1 (value low) <= value delta.
Proof.
move=> a0 b0 l0 d0 lt /and3P[le le' small] at_a at_b.
have both : value a <= value low <= value b by rewrite !value_le.
have pos : 0 < value b - value a by rewrite subr_gt0.
have le_ab : at_most a b.
  apply: contraLR lt => /negbTE e; rewrite -leNgt; apply: value_le => //.
  by move: e; rewrite /at_most => /N.leb_gt/N.lt_le_incl/N.leb_le.
rewrite -(ler_pmul2l (mulr_gt0 one_gt0 pos)) -mulrA.
apply: le_trans (ler_wpmul2l (ltW one_gt0) (profile_chord X both)) _.
have [da db] : 0 <= value b - value low /\ 0 <= value low - value a by case/andP: both; rewrite !subr_ge0.
rewrite mulrDr mulrCA [one * (_ * _)]mulrCA.
apply: le_trans (ler_add (ler_wpmul2l da at_a) (ler_wpmul2l db at_b)) _.
have gt0 (z : ratio) : proper z -> 0 < whole z.2 by exact: whole_gt0.
have K0 : 0 < whole a.2 * whole b.2 * whole low.2 * whole delta.2 by rewrite !mulr_gt0 ?gt0.
have := whole_le R small; rewrite !wholeM wholeD !wholeM !crossed // -/one => {}small.
rewrite -(ler_pmul2l K0); apply: le_trans (le_trans _ small) _.
  rewrite [X in _ <= X]mulrDl mulrDr; apply: ler_add; rewrite !mulrA.
    by rewrite [X in _ <= X](ACl (4*2*1*6*3*5))%AC.
  by rewrite [X in _ <= X](ACl (1*4*2*6*3*5))%AC.
have -> : whole delta.1 = value delta * whole delta.2 by rewrite /whole.value /frac divfK // gt_eqF // gt0.
by move: (value delta) => d; rewrite !mulrA [X in X <= _](ACl (4*5*7*2*3*6*1))%AC.
Qed.

End Lattice.

(* ---------- What is accepted is so ---------- *)

Section Accepted.
Variable R : realFieldType.
Notation value := (value R).

Lemma composed_bound w counts n k q low delta (lam : R) :
  check_rounds w counts n k q low delta -> value low <= lam ->
  [/\ 0 <= value q <= 1, 0 <= lam, dominates_round n k (value q) (pair_of R w)
    & profile (power_of (pair_of R w) counts) 1 lam <= value delta].
Proof.
move=> /andP[/and3P[ok q0 q1] /and5P[known enough low0 delta0 small]] le.
have at_1 : value (1, 1)%num = 1 by exact: divr1.
have q01 : 0 <= value q <= 1 by rewrite value_ge0 /= -at_1 value_le.
split=> //; [by rewrite (le_trans _ le) // value_ge0 | exact: dominates |].
have okg : sensible_grid w by case/andP: ok.
have r0 := r_gt0 R okg; have [at_a at_b] := of_rounds_sound R ok counts.
pose g i := iter i (up_the_lattice w) (1, 1)%num.
have g0 i : proper (g i) by elim: i => [//|i IH]; exact: (up_the_lattice_proper okg).
have e i : value (g i) = ((whole R (coarse w) / whole R (unit_of (scale w))) ^+ i)^-1.
  elim: i => [|i IH]; first by rewrite expr0 invr1; exact: at_1.
  by rewrite -[g i.+1]/(up_the_lattice w (g i)) up_the_lattice_value IH [in RHS]exprSr [RHS]invfM.
apply: le_trans (profile_falls (measures_power _ (measures_pair R ok)) le) _.
apply: (between_powers_sound (g0 (reach w)) (g0 (reach w).+1)) small _ _ => //; rewrite !e ?at_a ?at_b //.
by rewrite ltf_pinv ?posrE ?exprn_gt0 // ltr_iexpn2l // (r_lt1 R okg).
Qed.

Theorem check_rounds_sound w T n k q low delta (lam : R) : check_rounds w T n k q low delta -> value low <= lam ->
  DP_rounds T n k (value q) lam (value delta).
Proof.
move=> checked le; have [q01 l0 dom small] := composed_bound checked le.
apply: rounds_sound small => //; apply: measures_pair.
by case/andP: checked => /and3P[ok _ _] _.
Qed.

(* Of histograms only the counts of the categories in which the changed record differs. *)
Theorem check_histograms_sound w counts T categories most n k q low delta (lam : R) :
  check_rounds w counts n k q low delta -> counts = (T * most)%N -> value low <= lam ->
  DP_histograms predT T categories most n k (value q) lam (value delta).
Proof.
move=> checked e le; rewrite {}e in checked; have [q01 l0 dom small] := composed_bound checked le.
apply: histograms_sound small => //; apply: measures_pair.
by case/andP: checked => /and3P[ok _ _] _.
Qed.

End Accepted.
