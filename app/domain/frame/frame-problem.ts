/** Why a partner's form is not shown in the portal's frame. */
export type FrameProblem = "unreachable" | "failing" | "forbidden";

/** Returns what is said of the problem with this host. */
export const frameProblemText = (problem: FrameProblem, host: string): string =>
  ({
    unreachable: `The portal cannot reach ${host} at the moment.`,
    failing: `${host} answers with an error at the moment.`,
    forbidden: `${host} does not allow its form to be shown inside the portal. Open it in a new tab.`,
  })[problem];
