import { type BadCsr, type Forging } from "./common";
import { encodings, identifiers } from "./encodings";
import { keysAndSignatures } from "./keys";
import { names } from "./names";
import { subjects } from "./subjects";
import { texts } from "./texts";

/** The corpus: the signature of every CSR in it is right, unless that is what is wrong. */
export const badCsrs = (forging: Forging): BadCsr[] =>
  [encodings, identifiers, subjects, names, keysAndSignatures, texts].flatMap((make) => make(forging));
