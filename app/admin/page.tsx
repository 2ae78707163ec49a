import { redirect } from "next/navigation";
import { servicesFor } from "../services-for.ts";

/** Leads to the page that there is most to do on: where nobody signs in, there are no users to speak of. */
export default async function AdminPage(): Promise<never> {
  const { access } = await servicesFor("admin");
  redirect(access.required ? "/admin/users" : "/admin/keys");
}
