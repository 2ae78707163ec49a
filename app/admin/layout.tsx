import type { ReactNode } from "react";
import { PageHeader } from "../page-header.tsx";

/** The pages of administrators, under the header. */
export default function AdminLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex h-page flex-col">
      <PageHeader />
      {children}
    </div>
  );
}
