import { type BadCsr, type Forging } from "./common";
import { encodings, identifiers } from "./encodings";
import { keysAndSignatures } from "./keys";
import { names } from "./names";
import { subjects } from "./subjects";
import { texts } from "./texts";

/** Returns all bad CSRs. Their signatures are valid, except where the signature is what is wrong. */
export const badCsrs = (forging: Forging): BadCsr[] =>
  [encodings, identifiers, subjects, names, keysAndSignatures, texts].flatMap((make) => make(forging));
