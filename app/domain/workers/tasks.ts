// The entry of worker threads (build/worker.js). Tasks get and return plain data: they reach neither the database nor the configuration.
import { constants, setPriority } from "node:os";
import { hasFactorIn, makePrimeProducts } from "~/ca/csr/small-factors.server";
import { writtenPdf } from "~/lib/pdf/written-document.server";
import { invoicePdf } from "../orders/invoices/invoice-document.server";

// On Linux this is the priority of the thread alone, so requests are served before this work.
if (process.argv.includes("--low-priority")) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

export { hasFactorIn, invoicePdf, makePrimeProducts, writtenPdf };
