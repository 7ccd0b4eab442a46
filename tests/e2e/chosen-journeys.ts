/**
 * How `npm test` makes the journeys: these in both ways, those of WITH_SCRIPTS with scripts on, and all others with scripts off. The integration
 * tests send the forms of every page as a browser without scripts does. `npm run test:e2e` makes all journeys in both ways on both databases.
 */
export const BOTH_WAYS = ["forms", "main-job", "newcomer-walk", "queue-walk", "registration"];

/** Journeys in which scripts change what happens: forms that they check, send and keep, and what the browser makes by itself. */
export const WITH_SCRIPTS = [
  "homepage",
  "lists",
  "own-certificate",
  "passkeys",
  "place-after-acts",
  "prepare-csr",
  "refused-forms",
  "search",
  "second-factors",
  "signer",
  "unsaved-steps",
];
