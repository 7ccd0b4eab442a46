import { errorResponse } from "~/http/responses.server";
import { notFound } from "~/lib/errors";

const notFoundPage = () => {
  throw errorResponse(notFound());
};

export const loader = notFoundPage;
export const action = notFoundPage;

export { ErrorBoundary, meta } from "~/components/shell/error-boundary";

export default function UnknownPath() {
  return null;
}
