import { type LoaderFunctionArgs } from "@remix-run/node";
import { prepareCsr, readPreparation } from "~/domain/certificates/request/preparation/preparation.service.server";
import { fileResponse } from "~/http/files.server";
import { noSuchFile } from "~/http/public-file.server";

/** Returns OpenSSL's configuration file for the details in the address. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const result = await prepareCsr(readPreparation(new URL(request.url).searchParams).values);
  if (!result.ok) return noSuchFile("The details are not complete. Enter them on the page 'Prepare a CSR' first.");
  const bytes = Buffer.from(result.prepared.commands.file);
  return fileResponse({ bytes, mediaType: "text/plain; charset=utf-8", fileName: "request.cnf" });
}
