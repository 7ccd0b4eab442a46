import { type LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "~/api/dispatch.server";

/** The documented JSON calls, which are listed in the table in app/api. They accept tokens only and ignore cookies. */
export const loader = ({ request, params, context }: LoaderFunctionArgs): Promise<Response> =>
  dispatch(request, params["*"] ?? "", context);

export const action = loader;
