/**
 * Journeys that `npm test` makes with scripts on, too, because scripts change what happens in them. It makes all journeys with scripts off, as
 * every page must work. `npm run test:e2e` makes all journeys in both ways on both databases.
 */
export const WITH_SCRIPTS = [
  // the main jobs of customers and staff
  "main-job",
  "newcomer-walk",
  "own-certificate",
  "queue-walk",
  "registration",
  // forms that scripts check, send and keep
  "forms",
  "homepage",
  "lists",
  "place-after-acts",
  "refused-forms",
  "search",
  "unsaved-steps",
  // what the browser makes by itself: keys, and proofs by passkeys
  "passkeys",
  "prepare-csr",
  "second-factors",
  "signer",
];
