/** The accepted sizes of RSA moduli in bits. */
export const RSA_BITS = { min: 2048, max: 8192 };

/** The accepted elliptic curves. */
export const CURVES: readonly string[] = ["P-256", "P-384"];
