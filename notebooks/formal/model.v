(* The definitions: all that a reader has to agree with. Nothing is proven here, and nothing is computed.

   How to read it. [seq R] is a list of numbers, [%:R] turns a whole number into a number of R, [\sum_(i < n) x i] is
   x 0 + ... + x (n - 1), [d ++ d'] is one list after the other, [nseq k x] is the list of k times x, [forall] is
   "for every", [Prop] is a statement. R is any ordered field: the rationals, the real numbers. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Model.
Variable R : realFieldType.

(* A report of parameter a is 1 with probability a. *)
Definition bit (a : R) (b : bool) : R := if b then a else 1 - a.

(* Independent reports have the parameters ps. The observer sees how many of them are 1. The probability that this count
   lies in E is the sum, over all patterns of bits whose count lies in E, of the product of the bits' probabilities. *)
Definition Pr (ps : seq R) (E : pred nat) : R :=
  \sum_(t : (size ps).-tuple bool | E (count id t)) \prod_(i < size ps) bit (nth 0 ps i) (tnth t i).

(* A dataset is a list of bits. Each is reported k times, and every report is flipped with probability q. *)
Definition reports (k : nat) (q : R) (d : seq bool) : seq R :=
  flatten [seq nseq k (if b then 1 - q else q) | b <- d].

(* Two datasets are neighbours if the value of one record is replaced, by any value. *)
Definition neighbours (T : Type) (d d' : seq T) : Prop :=
  exists u v b b', d = u ++ b :: v /\ d' = u ++ b' :: v.

(* (epsilon, delta)-differential privacy of n records, with lam = e^epsilon: for every dataset, every neighbour of it and
   every set E of counts, P(E) <= lam Q(E) + delta. *)
Definition DP (n k : nat) (q lam delta : R) : Prop :=
  forall d d', size d = n -> neighbours d d' ->
  forall E : pred nat, Pr (reports k q d) E <= lam * Pr (reports k q d') E + delta.

(* Rounds. What is reported in a round may depend on the counts seen before it: [reported] says what, for every list of
   counts. The probability that the list of all counts lies in E, if [seen] was seen and T rounds are left: the first of
   them is s with its probability, and so on. *)
Fixpoint Pr_rounds (T : nat) (reported : seq nat -> seq R) (seen : seq nat) (E : pred (seq nat)) : R :=
  if T is T'.+1 then
    \sum_(s < (size (reported seen)).+1)
      Pr (reported seen) (pred1 (s : nat)) * Pr_rounds T' reported (rcons seen s) E
  else (E seen)%:R.

(* The same of T rounds, for every strategy: whatever the counts were, the next dataset is d of them, or its neighbour d'
   of them. Their records may be other ones in every round. E is any set of lists of T counts. *)
Definition DP_rounds (T n k : nat) (q lam delta : R) : Prop :=
  forall d d' : seq nat -> seq bool,
  (forall seen, size (d seen) = n /\ neighbours (d seen) (d' seen)) ->
  forall E : pred (seq nat),
  Pr_rounds T (fun seen => reports k q (d seen)) [::] E <=
  lam * Pr_rounds T (fun seen => reports k q (d' seen)) [::] E + delta.

(* Histograms. A record is a list of bits, one for each category. The observer sees a count for each category, one after
   the other; then comes the next release. What is reported next is the category whose turn it is, of the dataset that
   the counts of all complete releases led to. *)
Definition category (i : nat) (d : seq (seq bool)) : seq bool := [seq nth false record i | record <- d].
Definition in_turn (categories k : nat) (q : R) (d : seq nat -> seq (seq bool)) (seen : seq nat) : seq R :=
  let i := (size seen %% categories)%N in reports k q (category i (d (take (size seen - i) seen))).

(* One record is replaced, and differs in at most so many categories. Two records that hold one category each differ in
   at most two; a record and an empty one in one. *)
Definition close_neighbours (categories most : nat) (d d' : seq (seq bool)) : Prop :=
  exists u v b b', [/\ d = u ++ b :: v, d' = u ++ b' :: v
    & (count (fun i => nth false b i != nth false b' i) (iota 0 categories) <= most)%N].

(* [allowed] says which records there are; [predT] allows any. *)
Definition DP_histograms (allowed : pred (seq bool)) (T categories most n k : nat) (q lam delta : R) : Prop :=
  forall d d' : seq nat -> seq (seq bool),
  (forall seen, [/\ size (d seen) = n, close_neighbours categories most (d seen) (d' seen)
    & all allowed (d seen) && all allowed (d' seen)]) ->
  forall E : pred (seq nat),
  Pr_rounds (T * categories) (in_turn categories k q d) [::] E <=
  lam * Pr_rounds (T * categories) (in_turn categories k q d') [::] E + delta.

(* A record that holds one category; or none, where records are deleted and one category changes. *)
Definition one_hot (categories most : nat) (record : seq bool) : bool :=
  (size record == categories) && ((count id record == 1)%N || (most == 1)%N && (count id record == 0)%N).

(* Noise with finitely many outcomes: f lists their probabilities, of 0, 1, 2, ... in turn. A dataset is a list of numbers
   from 0 to most; released is their sum with the noise. The probability that it lies in E: *)
Definition released (f : seq R) (d : seq nat) (E : pred nat) : R :=
  \sum_(s < size f | E (sumn d + s)%N) nth 0 f s.

(* The same of this release. Another least number and another least noise shift what is released, and nothing else. *)
Definition DP_noise (f : seq R) (most : nat) (lam delta : R) : Prop :=
  forall d d', all (leq^~ most) d -> all (leq^~ most) d' -> neighbours d d' ->
  forall E : pred nat, released f d E <= lam * released f d' E + delta.

(* lam = e^epsilon for an epsilon >= 0: the least number that no partial sum of 1 + epsilon + epsilon^2/2! + ... exceeds. *)
Definition partial_sum (x : R) (terms : nat) : R := \sum_(i < terms) x ^+ i / i`!%:R.
Definition is_exp (epsilon lam : R) : Prop :=
  (forall terms, partial_sum epsilon terms <= lam) /\
  (forall bound, (forall terms, partial_sum epsilon terms <= bound) -> lam <= bound).

(* A whole number, and a fraction of two of them: [frac R 1 10] is 1/10. *)
Definition whole (x : N) : R := (N.to_nat x)%:R.
Definition frac (a b : N) : R := whole a / whole b.

(* Noise in proportion to whole numbers: [weighted [:: 1; 2; 1]] is 1/4, 1/2, 1/4. *)
Definition weighted (w : seq N) : seq R := [seq whole x / (\sum_(y <- w) whole y) | x <- w].

End Model.
