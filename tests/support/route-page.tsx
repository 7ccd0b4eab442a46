import { type ActionFunctionArgs } from "@remix-run/node";
import { visit } from "../components/portal";
import { newContext, run, type Visitor } from "./visitor";

interface RouteModule {
  default: React.ComponentType;
  loader: (args: ActionFunctionArgs) => unknown;
  action?: (args: ActionFunctionArgs) => unknown;
}

interface Opened {
  params?: Record<string, string>;
  /** Sends a POST with these fields instead of a GET. */
  fields?: Record<string, string>;
}

/** Returns the HTML that a browser without scripts gets from a real route, with its real loader, action and component. */
export async function openPage(
  route: RouteModule,
  visitor: Visitor,
  path: string,
  { params = {}, fields }: Opened = {},
) {
  const { default: View, loader, action } = route;
  const context = newContext();
  const posted = fields && (await visitor.post(path, fields));
  return visit(
    {
      view: () => <View />,
      loader: () => run(loader, visitor.get(path), params, context),
      ...(posted && action && { action: () => run(action, posted, params, context) }),
    },
    { path, ...(posted && { body: new URLSearchParams(fields) }) },
  );
}
