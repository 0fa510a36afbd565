"""Special functions against reference values of 50 digits, and at the edges of their domains."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tpsa_core
from tpsa_core import MTF, Algebra, DomainError, LimitError, ShapeError

EPS = float(np.finfo(np.float64).eps)
LINE = Algebra("x", order=5)
X = LINE.variable("x")

Unary = Callable[[MTF], MTF]

# The first Taylor coefficients at a constant part, computed with mpmath 1.3 at 120 digits.
REFERENCE = {
    ("erf", 0.25): """
        0.27632639016823693298506826776481571206535397789231
        1.0600141293761142434974185339226666438832637717537
        -0.26500353234402856087435463348066666097081594293842
        -0.30917078773469998768674707239411110446595193342816
        0.12698085924818035208562826187615277504851597265799
        0.080053150395591961097461295530618053834933982762648
    """,
    ("erf", -2.0): """
        -0.99532226501895273416206925636725292861089179704006
        0.020666985354092053857068941306585475769329603181981
        0.041333970708184107714137882613170951538659206363962
        0.048222965826214792333160863048699443461769074091289
        0.034444975590153423095114902177642459615549338636635
        0.013089090724258300776143662827504134653908748681921
    """,
    ("erfc", -0.5): """
        1.520499877813046537682746653891964528736451575758
        -0.87878257893544479409372395482445789836252198960194
        -0.43939128946772239704686197741222894918126099480097
        0.14646376315590746568228732580407631639375366493366
        0.18307970394488433210285915725509539549219208116707
        -0.0073231881577953732841143662902038158196876832466828
    """,
    ("erfc", 6.0): """
        2.1519736712498913116593350399187384630477514061689e-17
        -2.6173012392492648292179581121388674362880239954104e-16
        0.0000000000000015703807435495588975307748672833204617728143972462
        -0.000000000000006194279599556593429149167532061986265881656789138
        0.000000000000018059378550819927321603910973758185310387365568332
        -0.000000000000041484224642100847543104636077401048865165180327255
    """,
    ("gaussian", 0.75): """
        0.569782824730923009766629689829122815884638474328
        -0.85467423709638451464994453474368422382695771149199
        0.071222853091365376220828711228640351985579809290999
        0.5341713981852403216562153342148026398918485696825
        -0.23592570086514780873149510594487116595223311827644
        -0.14289084901455178604303760190245970617106949239007
    """,
    ("gaussian", -5.25): """
        0.0000000000010709232382508076455864500379188631853753339119297
        0.000000000011244694001633480278657725398148063446441006075262
        0.000000000057963720270324963817366608302358469908439947983194
        0.00000000019537655827838171984167797879282260238191248055767
        0.00000000048388160534558953267572139017998009629830028747229
        0.00000000093800074791438533068234372786082916127366561146874
    """,
    ("gamma", 0.125): """
        7.5339415987976119046992298412151336246104195881491
        -63.198413827213210380236797876146802119934666308013
        511.38490467521903728536970003088155882315383592238
        -4095.3859033035288805296276661948756356825138336491
        32767.459616737333591337697430383985523484111146317
        -262143.51111020034462799666617974439499392160844572
    """,
    ("gamma", 3.75): """
        4.4229884104602505628878391887004329953536916611401
        5.2303491647659042073076100838415632178981781617348
        3.7677990362653956990815659850174693727083285230657
        1.9493105284347853867450849529920444066292151444724
        0.81365772654721865450788920067880510303446687908125
        0.28447754795494298650669727938322490050068787798521
    """,
    ("gamma", -2.625): """
        -0.88913064206688620163149775394757954949622652843939
        0.14018216224288771656722989865069222828240138627873
        -5.0104547332015141523604565038453224026106360838119
        5.2631183863564255639767036460820910283677392354718
        -27.628712714712439346750600461978997599055996896043
        51.588886899114699850595089418456990332367140462488
    """,
    ("loggamma", 0.125): """
        2.0194183575537963453202905211670995899482809521344
        -8.3884926632958548678027429230863430000514460424495
        32.694066722494017236571499667197980427291553886638
        -170.95888968635594709927815500941955959568635349157
        1024.1726424609819257712918519436254260718355346289
        -6553.7165452588648816100100591365247673048086178533
    """,
    ("loggamma", 3.75): """
        1.4868155785934170555405818014442050254129486501631
        1.1825373886117962286415115055810877050983232290651
        0.15266992634512653774289920505552475076665763367835
        -0.015424389752649878272499976763485377541680210692953
        0.0023210525310581045324586305272415161326118623202806
        -0.00041631540847129258928725093084821799919283756787541
    """,
    ("loggamma", 150.5): """
        602.51395487058541195073787783078310078992611427542
        5.0106371459337046471607555971556876228233308877198
        0.0033333209878463581339898871809355666673989926748939
        -0.0000074073251050143745111337520477068408068153720598705
        0.000000024690809349183175698127631801409093665023337001799
        -0.0000000000987617743189386462794613455176731555299369302577
    """,
    ("digamma", 0.125): """
        -8.3884926632958548678027429230863430000514460424495
        65.388133444988034473142999334395960854583107773276
        -512.8766690590678412978344650282586787870590604747
        4096.6905698439277030851674077745017042873421385157
        -32768.582726294324408050050295682623836524043089266
        262144.50549668871385785016297861089314051901194954
    """,
    ("digamma", 3.75): """
        1.1825373886117962286415115055810877050983232290651
        0.30533985269025307548579841011104950153331526735671
        -0.046273169257949634817499930290456132625040632078858
        0.0092842101242324181298345221089660645304474492811225
        -0.0020815770423564629464362546542410899959641878393771
        0.00049465379541870426542723337577590964947966046279297
    """,
    ("digamma", -2.625): """
        -0.15766205280814323876768222246757176825515839735111
        11.24560057416686684254201330603465988516018015937
        -15.096728580763629228183165179235454061584617303057
        57.610422705753164653599934698110096579086192528124
        -124.48573218862944272833273197671078457321363688319
        376.58298067936428427523481229549890942085134665416
    """,
    ("j0", 0.5): """
        0.93846980724081290422840467359971262556892679709682
        -0.24226845767487388638395457614153164080062865443796
        -0.22696644594553256573024776065832467198383474411045
        0.030176735126251433961521219034783960922242168854654
        0.014026844085229543932564580859606388082061084466883
        -0.0012551426981265854171546142612769517790263691787004
    """,
    ("j0", -7.25): """
        0.2919969241917789975052565742998521689418537980221
        0.068581700653131744530574896978269405573624730771285
        -0.14126868963705282671603691494452819443136657275096
        -0.017707934806704309361047335369441696533158431978702
        0.010728830888062367287039270252886477544857545924223
        0.001095000909796905467201273038138674111391398578498
    """,
    ("j1", 0.5): """
        0.24226845767487388638395457614153164080062865443796
        0.4539328918910651314604955213166493439676694882209
        -0.090530205378754301884563657104351882766726506563962
        -0.056107376340918175730258323438425552328244337867532
        0.006275713490632927085773071306384758895131845893502
        0.0023246358862806281995752611730653441950453926482343
    """,
    ("j1", 1200.5): """
        -0.0084019869078618899331344457402290611053740742975294
        0.021444162497108098002993282968071550425998216017547
        0.0041920591926911602338270895782111638535251697287433
        -0.0035751860973370394049882173884712904549939276966323
        -0.00034859302175505730493225408541114494282493658552152
        0.00017881688288343587691830753590713836755263121082379
    """,
    ("jn 5", 3.5): """
        0.080441986647991781804557257572669863906615271263955
        0.089488169251786599961873778598000327765484959414888
        0.029078642342067025230267216692185290515516218394421
        -0.0016633932926647272505509585716745074411931865578993
        -0.0024836251908334240144143553516267974530040869518862
        -0.00022808621139621612388042271684755352605784659789025
    """,
    ("jn -3", 12.25): """
        -0.15671899797243422079143184722404050919102707905703
        0.1720221526679855212297113987445742631428038556976
        0.066638574864818591038158734908522047827604864996874
        -0.028317330962804632671509606933709242591001934627698
        -0.0047320685516066120552100561602756824515912773157317
        0.0013553691808249553098012025820777802123411621445211
    """,
    ("jn 40", 8.0): """
        1.0010983703741214213808434189571270524457642260868e-24
        4.9068993847274039836269392033420424958729911004551e-24
        1.1706499232943994307593437327276646973357108769263e-23
        1.8109794318878300638960346850826672248970749715252e-23
        2.0418841169373425283070953766427334226979410217248e-23
        1.7880956731152880077640182860228779111926062652435e-23
    """,
}


def _function(label: str) -> Unary:
    name, *order = label.split()
    function: Any = getattr(tpsa_core, name)
    return (lambda f: function(int(order[0]), f)) if order else function


@pytest.mark.parametrize(("label", "constant"), REFERENCE, ids=str)
def test_coefficients_agree_with_50_digits(label: str, constant: float) -> None:
    series = _function(label)(constant + X)
    expected = [float(line) for line in REFERENCE[label, constant].split()]
    for power, value in enumerate(expected):
        # A few roundings for each order, and those of the constant part's own algorithm.
        assert series[power] == pytest.approx(value, rel=(12 + 6 * power) * EPS)


# Constant parts between zeros and poles, where a relative error makes sense.
MPMATH_POINTS = [
    ("erf", [0.01, 0.7, 3.1, -5.5]),
    ("erfc", [0.01, 0.7, 3.1, -1.5]),
    ("gamma", [0.001, 0.3, 2.2, 17.0, 120.0, -0.6, -7.3]),
    ("loggamma", [0.001, 0.3, 4.5, 77.0, 1e4]),
    ("digamma", [0.001, 0.3, 4.5, 77.0, 1e4, -0.6, -33.3]),
    ("j0", [0.001, 1.1, 4.0, 30.3, 999.0, 1001.0, 123456.0]),
    ("j1", [0.001, 1.1, 5.0, 30.3, 999.0, 1001.0, 123456.0]),
]


@pytest.mark.parametrize(("name", "constants"), MPMATH_POINTS)
def test_coefficients_agree_with_mpmath(name: str, constants: list[float]) -> None:
    reason = "mpmath is a witness, not a dependency; the table above runs without it"
    mpmath: Any = pytest.importorskip("mpmath", reason=reason)
    order = 10
    x = Algebra("x", order=order).variable("x")
    function = _function(name)
    with mpmath.workdps(80):
        for constant in constants:
            exact = getattr(mpmath, name)
            expected = [float(a) for a in mpmath.taylor(exact, mpmath.mpf(constant), order)]
            series = function(constant + x)
            computed = [series[power] for power in range(order + 1)]
            # Coefficients that happen to be small carry the error of their neighbours.
            scale = np.maximum(np.abs(expected), np.abs(np.roll(expected, 1)))
            assert np.all(np.abs(np.subtract(computed, expected)) <= 100 * EPS * scale)


def test_bessel_functions_next_to_zero_do_not_overflow_on_the_way() -> None:
    for constant in (5e-324, 1e-300, 1e-9, 9.9e-6, 1.01e-5):
        series = tpsa_core.jn(2, constant + X)
        expected = [constant**2 / 8, constant / 4, 1 / 8, -constant / 24, -1 / 96]
        assert [series[power] for power in range(5)] == pytest.approx(expected, rel=1e-9, abs=0)


def test_bessel_functions_at_zero_are_their_power_series() -> None:
    # J_n(x) = (x/2)^n Σ (-x²/4)^k / (k! (n + k)!)
    assert tpsa_core.j0(X).to_dict() == pytest.approx({(0,): 1.0, (2,): -1 / 4, (4,): 1 / 64})
    assert tpsa_core.j1(X).to_dict() == pytest.approx({(1,): 1 / 2, (3,): -1 / 16, (5,): 1 / 384})
    assert tpsa_core.jn(3, X).to_dict() == pytest.approx({(3,): 1 / 48, (5,): -1 / 768})
    assert tpsa_core.jn(0, X) == tpsa_core.j0(X)
    assert tpsa_core.jn(1, X) == tpsa_core.j1(X)
    assert tpsa_core.jn(-1, X) == -tpsa_core.j1(X)


@pytest.mark.parametrize("constant", [1000.5, 5000.0, 1e9])
def test_far_out_both_algorithms_for_bessel_functions_agree(constant: float) -> None:
    # An order above the argument's limit takes the backward recurrence, a small one the forward.
    x = Algebra("x", order=3).variable("x")
    square_sum = tpsa_core.j0(constant + x) ** 2 + tpsa_core.j1(constant + x) ** 2
    # J0² + J1² = 2/(πx)·(1 + O(1/x)).
    assert square_sum[0] == pytest.approx(2 / (np.pi * constant), rel=1 / constant)
    wronskian = (
        tpsa_core.jn(2, constant + x) - 2 / (constant + x) * tpsa_core.j1(constant + x)
    ) + tpsa_core.j0(constant + x)
    assert wronskian.norm() < 1e-15


def test_complex_series_with_a_real_constant_part_have_special_functions() -> None:
    f = 0.5 + 1j * X + X**2
    for name in ("erf", "erfc", "gamma", "loggamma", "digamma", "j0", "j1"):
        along = _function(name)(0.5 + X)
        outer = [along[power] for power in range(6)]
        assert _function(name)(f).is_close(f.apply(outer), rtol=1e-13, atol=1e-15)
    assert tpsa_core.gaussian(1j + X).is_close(np.exp(-((1j + X) ** 2)), rtol=1e-14)


@pytest.mark.parametrize(
    ("label", "constant", "message"),
    [
        ("erf", 1j, "erf needs a real constant part, got a constant part of 1j"),
        ("erfc", float("nan"), "erfc needs a finite constant part"),
        ("gamma", 0.0, "gamma needs a constant part other than 0, -1, -2, …"),
        ("gamma", -3.0, "gamma needs a constant part other than 0, -1, -2, …"),
        ("gamma", 171.7, "gamma needs a constant part where its value is below 1.8e308"),
        ("gamma", 5e-324, "gamma needs a constant part where its value is below 1.8e308"),
        ("loggamma", 1e308, "loggamma needs a constant part where its value is below 1.8e308"),
        ("gamma", float("-inf"), "gamma needs a finite constant part"),
        ("loggamma", -0.5, "loggamma needs a positive constant part"),
        ("digamma", -1.0, "digamma needs a constant part other than"),
        ("j0", float("inf"), "j0 needs a finite constant part"),
        ("jn 4", 1e16, "jn needs a constant part up to"),
    ],
)
def test_outside_its_domain_a_special_function_names_the_domain(
    label: str, constant: complex, message: str
) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        _function(label)(constant + X)
    assert caught.value.hint


def test_the_order_of_a_bessel_function_is_a_bounded_integer() -> None:
    with pytest.raises(LimitError, match="1001 of a Bessel function"):
        tpsa_core.jn(1_001, X)
    for order in (0.5, "1", True):
        with pytest.raises(ShapeError, match=r"of a Bessel function is no integer"):
            tpsa_core.jn(order, X)  # pyright: ignore[reportArgumentType] -- it is what is refused


@pytest.mark.parametrize("constant", [1e20, 1e200, 1e305])
def test_far_out_the_logarithm_of_the_gamma_function_follows_stirling(constant: float) -> None:
    series = tpsa_core.loggamma(constant + X)
    assert series[0] == pytest.approx(constant * (np.log(constant) - 1), rel=1e-14)
    assert series[1] == pytest.approx(np.log(constant), rel=1e-15)
    assert series[2] == pytest.approx(0.5 / constant, rel=1e-15)


def test_far_negative_arguments_take_no_longer_than_others() -> None:
    # By the sum alone this would take a hundred million terms.
    series = tpsa_core.digamma(-1e8 - 0.25 + X)
    assert series[0] == pytest.approx(np.log(1e8) + np.pi, rel=1e-7)


def test_many_orders_of_one_variable() -> None:
    # The nearest pole of the gamma function to 1 is at 0: the coefficients tend to ±1.
    series = tpsa_core.gamma(1 + Algebra("x", order=60).variable("x"))
    assert [series[power] for power in (59, 60)] == pytest.approx([-1, 1], rel=1e-12)


def test_functions_are_applied_to_sparse_series_and_constants_too() -> None:
    x, y = Algebra(2, order=6).variables()
    outer = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    assert (x**2 * y).apply(outer).to_dict() == {(0, 0): 1.0, (2, 1): 2.0, (4, 2): 3.0}
    assert x.algebra.constant(3.0).apply(outer) == x.algebra.constant(1.0)
    assert Algebra(1, order=0).constant(3.0).apply([5.0]).constant == 5.0


def test_few_coefficients_give_a_function_that_is_valid_to_few_orders() -> None:
    x, y = Algebra(2, order=4).variables()
    series = (x + y).apply([0, 1, 1])
    assert series.valid_order == 2
    assert series.to_dict() == (x + y + (x + y) ** 2).truncate(2).to_dict()
    with pytest.raises(ShapeError, match="are not those of one function"):
        x.apply([])
    with pytest.raises(ShapeError, match="are no numbers"):
        x.apply(["1"])
    assert x.apply([0, 1j, 0, 0, 0]) == 1j * x
