import { redirect } from "next/navigation";
import { servicesFor } from "../services-for.ts";

/** Redirects to the first page: keys while sign-in is off, else users. */
export default async function AdminPage(): Promise<never> {
  const { access } = await servicesFor("admin");
  redirect(access.required ? "/admin/users" : "/admin/keys");
}
