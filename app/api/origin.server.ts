import { type LoginOrigin } from "~/domain/accounts/login-origin";
import { clientOf } from "~/http/client.server";
import { type Caller } from "./call";

/** Returns the origin of a call, for limits and locks. A program has no cookies and is recognised by its network. */
export const originOfCall = ({ request, address }: Caller): LoginOrigin => ({
  network: address,
  devices: null,
  client: clientOf(request),
});
