import { type LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "~/api/dispatch.server";

/** The documented JSON calls: the table in app/api says which there are. No cookie counts here, only tokens. */
export const loader = ({ request, params, context }: LoaderFunctionArgs): Promise<Response> =>
  dispatch(request, params["*"] ?? "", context);

export const action = loader;
