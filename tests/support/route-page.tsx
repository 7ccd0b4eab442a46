import { type ActionFunctionArgs } from "@remix-run/node";
import { visit } from "../components/portal";
import { run, type Visitor } from "./visitor";

interface RouteModule {
  default: React.ComponentType;
  loader: (args: ActionFunctionArgs) => unknown;
  action?: (args: ActionFunctionArgs) => unknown;
}

interface Opened {
  params?: Record<string, string>;
  /** Makes it a POST of these fields. */
  fields?: Record<string, string>;
}

/** The HTML that a browser without scripts gets from a real route: real loader and action, real component. */
export async function openPage(
  route: RouteModule,
  visitor: Visitor,
  path: string,
  { params = {}, fields }: Opened = {},
) {
  const { default: View, loader, action } = route;
  const posted = fields && (await visitor.post(path, fields));
  return visit(
    {
      view: () => <View />,
      loader: () => run(loader, visitor.get(path), params),
      ...(posted && action && { action: () => run(action, posted, params) }),
    },
    { path, ...(posted && { body: new URLSearchParams(fields) }) },
  );
}
