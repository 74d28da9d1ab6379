(* What makes a promise easier to keep: a larger lambda, more noise, more users. Numbers in brackets are those of the
   proof notes. *)
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model theory.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---------- More noise ---------- *)

Section Reflip.
Variable R : realFieldType.
Variable r : R.
Hypothesis r01 : 0 <= r <= 1.

(* The parameter of a report that is flipped once more, with probability r. *)
Definition reflipped (a : R) : R := (1 - a) * r + a * (1 - r).

(* The same seen from the count alone: each of s ones stays 1 with probability 1 - r, each of z zeros becomes 1 with r. *)
Definition kernel s z : seq R := nseq s (1 - r) ++ nseq z r.

Lemma kernel_probabilities s z : probabilities (kernel s z).
Proof. by rewrite /probabilities all_cat !all_nseq p01 // r01 !orbT. Qed.

Lemma reflippedC a : 1 - reflipped a = (1 - a) * (1 - r) + a * r.
Proof.
apply/esym/eqP; rewrite eq_sym subr_eq /reflipped addrACA -!mulrDr subrK.
by rewrite [r + _]addrC subrK !mulr1 subrK.
Qed.

Lemma law_reflipped ps t : law [seq reflipped a | a <- ps] t =
  \sum_(s < (size ps).+1) law ps s * law (kernel s (size ps - s)) t.
Proof.
elim: ps t => [|a ps IH] t /=; first by rewrite big_ord1 /kernel /= !law_nil mul1r.
set L := law [seq reflipped a | a <- ps]; pose K (s : nat) := law (kernel s (size ps - s)).
have mix c d : \sum_(s < (size ps).+1) law ps s * (c * K s t + d * before (K s) t) = c * L t + d * before L t.
  have -> : before L t = \sum_(s < (size ps).+1) law ps s * before (K s) t.
    by case: t => [|t] /=; [rewrite big1 // => s _; rewrite mulr0 | exact: IH].
  rewrite /L IH !big_distrr -big_split /=; apply: eq_bigr => s _.
  by rewrite mulrDr (mulrCA c) (mulrCA d).
pose K' (s : nat) := law (kernel s ((size ps).+1 - s)) t.
have stays (s : 'I_(size ps).+1) : K' s = (1 - r) * K s t + r * before (K s) t.
  have h : (s <= size ps)%N by rewrite -ltnS.
  rewrite /K' -law_cons; apply: law_perm; rewrite /kernel subSn //; apply/permP => p.
  by rewrite /= !count_cat /= addnCA.
have turns (s : 'I_(size ps).+1) : K' s.+1 = r * K s t + (1 - r) * before (K s) t.
  have e : 1 - (1 - r) = r by rewrite opprB addrC subrK.
  by rewrite /K' subSS -{1}e -law_cons.
have -> : \sum_(s < (size ps).+2) law (a :: ps) s * K' s =
    (1 - a) * (\sum_(s < (size ps).+1) law ps s * K' s) + a * \sum_(s < (size ps).+1) law ps s * K' s.+1.
  rewrite (eq_bigr (fun s : 'I_(size ps).+2 => (1 - a) * (law ps s * K' s) + a * (before (law ps) s * K' s))).
    rewrite big_split -!big_distrr /=; congr (_ * _ + _ * _).
      by rewrite big_ord_recr /= law_big // mul0r addr0.
    by rewrite big_ord_recl /= mul0r add0r.
  by move=> s _; rewrite law_cons mulrDl !mulrA.
have -> : \sum_(s < (size ps).+1) law ps s * K' s = (1 - r) * L t + r * before L t.
  by rewrite -mix; apply: eq_bigr => s _; rewrite stays.
have -> : \sum_(s < (size ps).+1) law ps s * K' s.+1 = r * L t + (1 - r) * before L t.
  by rewrite -mix; apply: eq_bigr => s _; rewrite turns.
rewrite law_cons -/L reflippedC /reflipped; move: (1 - a) (1 - r) => a' r'.
by rewrite !mulrDr !mulrA !mulrDl addrACA.
Qed.


(* (2.2) *)
Theorem div_reflipped lam ps qs : size ps = size qs -> probabilities ps -> probabilities qs ->
  div lam [seq reflipped a | a <- ps] [seq reflipped a | a <- qs] <= div lam ps qs.
Proof.
move=> e hp hq; pose n := size ps; pose f s := law ps s - lam * law qs s.
pose K s t := law (kernel s (n - s)) t.
have K0 s t : 0 <= K s t by apply: law_ge0; exact: kernel_probabilities.
have K1 (s : 'I_n.+1) : \sum_(t < n.+1) K s t = 1.
  by apply: law_sum; rewrite size_cat !size_nseq subnKC // -ltnS.
apply: (@le_trans _ _ (\sum_(t < n.+1) \sum_(s < n.+1) Num.max 0 (f s) * K s t)); last first.
  rewrite exchange_big /div /=; apply: ler_sum => s _.
  by rewrite -big_distrr /= K1 mulr1.
rewrite /div size_map; apply: ler_sum => t _; rewrite !law_reflipped -e big_distrr /= -sumrB le_maxl; apply/andP; split.
  by apply: sumr_ge0 => s _; apply: mulr_ge0; rewrite ?K0 // le_maxr lexx.
by apply: ler_sum => s _; rewrite mulrA -mulrBl; apply: ler_wpmul2r; rewrite ?K0 // le_maxr lexx orbT.
Qed.

End Reflip.

Section Monotone.
Variable R : realFieldType.
Implicit Types q lam delta : R.

(* delta falls in lambda, and in itself: what is kept is kept with more. *)
Theorem DP_larger_lambda n k q lam lam' delta : 0 <= q <= 1 ->
  lam <= lam' -> DP n k q lam delta -> DP n k q lam' delta.
Proof.
move=> q01 h dp d d' sd nb E; apply: le_trans (dp d d' sd nb E) _.
rewrite ler_add2r ler_wpmul2r //; apply: Pr_ge0.
have := changed_probabilities k q01 false (count id d') (count negb d'); rewrite /probabilities all_cat => /andP[_].
by rewrite -(perm_all _ (reports_perm k q d')).
Qed.

Theorem DP_larger_delta n k q lam delta delta' : delta <= delta' -> DP n k q lam delta -> DP n k q lam delta'.
Proof. by move=> h dp d d' sd nb E; apply: le_trans (dp d d' sd nb E) _; rewrite ler_add2l. Qed.

(* (2.2) More noise. *)
Theorem DP_larger_q n k q q' lam delta : (0 < n)%N -> 1 <= lam -> 0 <= q -> q <= q' -> q' <= 2%:R^-1 ->
  DP n k q lam delta -> DP n k q' lam delta.
Proof.
move=> n0 lam1 q0 qq' half dp; have two : (0 : R) < 2%:R by rewrite ltr0n.
have q1 : q <= 1 by rewrite (le_trans qq') // (le_trans half) // invf_le1 // ler1n.
have q1' : q' <= 1 by rewrite (le_trans half) // invf_le1 // ler1n.
have q01 : 0 <= q <= 1 by rewrite q0.
have q01' : 0 <= q' <= 1 by rewrite (le_trans q0).
move: qq'; rewrite le_eqVlt => /orP[/eqP <- //|qq'].
have c0 : 0 < 1 - 2%:R * q by rewrite subr_gt0 -ltr_pdivl_mull // mulr1 (lt_le_trans qq').
pose r := (q' - q) / (1 - 2%:R * q).
have rc : r * (1 - 2%:R * q) = q' - q by rewrite divfK // gt_eqF.
have r01 : 0 <= r <= 1.
  apply/andP; split; first by rewrite divr_ge0 // ?subr_ge0 ltW // -subr_gt0.
  rewrite ler_pdivr_mulr // mul1r ler_subl_addr mulr_natl mulr2n opprD addrA subrK ler_subr_addr.
  apply: le_trans (ler_add half (ltW (lt_le_trans qq' half))) _.
  by rewrite -[_ + _]mulr2n -[_ *+ 2]mulr_natr mulVf ?gt_eqF.
have e : reflipped r q = q'.
  rewrite -[RHS](subrK q) -rc mulrBr mulr1 mulr_natl mulr2n mulrDr opprD.
  by rewrite /reflipped mulrBl mul1r mulrBr mulr1 (mulrC q) !addrA [_ + q - _]addrAC.
have f : reflipped r (1 - q) = 1 - q'.
  by rewrite -e reflippedC /reflipped opprB [1 + _]addrC subrK addrC.
apply/(DP_pools k q01' delta n0 lam1) => m mn.
have := (DP_pools k q01 delta n0 lam1).1 dp m mn; apply: le_trans.
have ch b z : changed k q' b m z = [seq reflipped r a | a <- changed k q b m z].
  by rewrite /changed /pool !map_cat !map_nseq; case: b; rewrite e f.
by rewrite /delta_of !ch; apply: div_reflipped; rewrite ?size_changed //; exact: changed_probabilities.
Qed.

(* (2.3) More users. *)
Theorem DP_more_users n n' k q lam delta : 0 <= q <= 1 -> 1 <= lam -> (0 < n <= n')%N ->
  DP n k q lam delta -> DP n' k q lam delta.
Proof.
move=> q01 lam1 /andP[n0 /subnK<-]; elim: (n' - n)%N => [//|i IH] /IH{IH}; rewrite addSn.
have : (0 < i + n)%N by rewrite addn_gt0 n0 orbT.
case: (i + n)%N => // N _ dp; apply/(DP_pools k q01 delta (ltn0Sn _) lam1) => m; rewrite ltnS /= => mN.
have pools := (DP_pools k q01 delta (ltn0Sn N) lam1).1 dp.
case: m mN => [|m] mN.
  rewrite (le_trans (range k lam q01 (_ : 0 <= 0 <= 1)%N _)) //.
  by rewrite subSS; exact: pools.
apply: le_trans (range k lam q01 (_ : m <= m.+1 <= m.+1)%N _) _; rewrite ?leqnSn ?ltnSn // subSS.
exact: pools.
Qed.

End Monotone.
