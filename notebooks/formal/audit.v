(* What every main theorem rests on. "Closed under the global context" means: on Coq alone, on no axiom. *)
From dpcalc Require Import theory monotone exponential check lower noise promise rounds lattice.

Print Assumptions hockey_stick.
Print Assumptions post_processing.
Print Assumptions mirror.
Print Assumptions range.
Print Assumptions DP_pools.
Print Assumptions div_reflipped.
Print Assumptions DP_larger_lambda.
Print Assumptions DP_larger_q.
Print Assumptions DP_more_users.
Print Assumptions is_exp_unique.
Print Assumptions is_exp_rises.
Print Assumptions at_most_exp_sound.
Print Assumptions at_least_exp_sound.
Print Assumptions check_sound.
Print Assumptions needs_sound.
Print Assumptions needs_more_sound.
Print Assumptions noise_exact.
Print Assumptions accept_sound.
Print Assumptions profile_product.
Print Assumptions profile_convex.
Print Assumptions profile_falls.
Print Assumptions profile_exchanged.
Print Assumptions dominated_product.
Print Assumptions adaptive.
Print Assumptions rounds_sound.
Print Assumptions histograms_sound.
Print Assumptions chords.
Print Assumptions dominates.
Print Assumptions of_rounds_sound.
Print Assumptions check_rounds_sound.
Print Assumptions check_histograms_sound.
Print Assumptions accept_rounds_sound.
Print Assumptions accept_histograms_sound.
