import { type LoaderFunctionArgs } from "@remix-run/node";
import { answerAcme } from "~/api/acme/dispatch.server";

/** The ACME server (RFC 8555). Requests are signed by their clients; cookies are ignored. */
export const loader = ({ request, params, context }: LoaderFunctionArgs): Promise<Response> =>
  answerAcme(request, params["*"] ?? "", context);

export const action = loader;
