//! Which named limit a visit ran into: what fetcher and parser report, told by the keys of the configuration.

use whimbrel_fetch::Cut;
use whimbrel_page::{Omission, Problem};
use whimbrel_plan::message::StopKind;
use whimbrel_types::Limit;

/// The limit behind a body that is not whole, if it is one.
pub fn of_cut(cut: Cut, kind: StopKind) -> Option<Limit> {
    match cut {
        Cut::BodyLimit if kind == StopKind::Robots => Some(Limit::Robots),
        Cut::BodyLimit => Some(Limit::Body),
        Cut::Ratio => Some(Limit::Ratio),
        Cut::UnwantedType | Cut::BrokenCoding => None,
    }
}

/// The limit behind something that was left out of a page.
pub fn of_problem(problem: Problem) -> Limit {
    match problem {
        Problem::NodesCut => Limit::Nodes,
        Problem::TooDeep(_) => Limit::Nesting,
        Problem::AttributesCut(_) => Limit::Attributes,
        Problem::LinksCut(_) => Limit::Links,
        Problem::RejectedLinksCut(_) => Limit::RefusedLinks,
        Problem::TextCut => Limit::Text,
        Problem::HeadingsCut(_) => Limit::Headings,
    }
}

/// The limit behind something of a page that was shortened or not looked at.
pub fn of_omission(omission: Omission) -> Limit {
    match omission {
        Omission::AttributeTooLong(_) => Limit::AttributeBytes,
        Omission::AnchorTextCut(_) => Limit::AnchorText,
        Omission::FieldsCut(_) => Limit::Field,
        Omission::StatementsCut(_) => Limit::Statements,
        Omission::JsonLdCut(_) => Limit::StructuredData,
    }
}
