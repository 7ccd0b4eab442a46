import { lazyValidator } from "~/lib/lazy-validator";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./certificates.validators");

export const rowChoiceValidator = lazyValidator(() => load().then((all) => all.rowChoice));
export const revocationValidator = lazyValidator(() => load().then((all) => all.revocation));

/** Of the order's page in the queue: one for each form, and `all` for the action. */
export const queueValidators = {
  all: lazyValidator(() => load().then(({ queue }) => queue.all)),
  contact: lazyValidator(() => load().then(({ queue }) => queue.contact)),
  organisation: lazyValidator(() => load().then(({ queue }) => queue.organisation)),
  csr: lazyValidator(() => load().then(({ queue }) => queue.csr)),
  reject: lazyValidator(() => load().then(({ queue }) => queue.reject)),
};
