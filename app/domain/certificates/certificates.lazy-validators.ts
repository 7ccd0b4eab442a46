import { lazyValidator } from "~/lib/lazy-validator";

// Pages import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./certificates.validators");

export const rowChoiceValidator = lazyValidator(() => load().then((all) => all.rowChoice));
export const revocationValidator = lazyValidator(() => load().then((all) => all.revocation));
export const cancellationValidator = lazyValidator(() => load().then((all) => all.cancellation));
export const reissueValidator = lazyValidator(() => load().then((all) => all.reissue));
export const queueValidator = lazyValidator(() => load().then((all) => all.queue));
