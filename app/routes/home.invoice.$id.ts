import { type LoaderFunctionArgs } from "@remix-run/node";
import { findInvoiceFileFor } from "~/domain/orders/invoices/invoice-file.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";

/** Returns the PDF of an invoice or credit note, for the owner of its order and for administrators. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const file = await findInvoiceFileFor(user, readId(params.id));
  if (!file) throw notFound();
  return fileResponse(file);
}
