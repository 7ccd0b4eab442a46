// The entry of worker threads (build/worker.js). Tasks get and return plain data: they reach neither the database nor the configuration.
import { constants, setPriority } from "node:os";
import { type CsrPolicy, checkCsr } from "~/ca/csr/check.server";
import { type Csr } from "~/ca/csr/read.server";
import { hasFactorIn, makePrimeProducts } from "~/ca/csr/small-factors.server";
import { suspectsAmong } from "~/ca/csr/weak-rsa.server";
import { writtenPdf } from "~/lib/pdf/written-document.server";
import { invoicePdf } from "../orders/invoices/invoice-document.server";

// On Linux this is the priority of the thread alone, so requests are served before this work.
if (process.argv.includes("--low-priority")) setPriority(constants.priority.PRIORITY_LOW);

/** Does the same as `checkCsr`, whose tests of large keys take up to 0.2 s. */
const csrRefusals = ({ csr, policy }: { csr: Csr; policy: CsrPolicy }) => checkCsr(csr, policy);

export { csrRefusals, hasFactorIn, invoicePdf, makePrimeProducts, suspectsAmong, writtenPdf };
