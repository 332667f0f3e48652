/** How long a person's step may take on a noisy machine, in ms. */
export const patience = 30_000;
